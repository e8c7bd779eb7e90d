/** What was wrong with a proof of who somebody is: the part of a sentence that says why. */
export const proofMessages = {
  proof_unreadable: { en: 'the answer does not read', zh: '无法读取应答' },
  proof_not_genuine: { en: 'the answer is not genuine', zh: '应答不真实' },
  proof_signature: { en: 'the signature is wrong', zh: '签名错误' },
  proof_used_twice: { en: 'it was used twice at once', zh: '同时被使用了两次' },
  proof_no_answer: { en: 'no answer', zh: '没有应答' },
  proof_over: { en: 'the answer is not valid any more', zh: '应答已失效' },
} as const;
