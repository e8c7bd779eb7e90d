import { expect, it } from 'vitest';
import { say } from './messages.ts';

/** The exact words of the server's messages. Source: specification part 1, validation rules, roles, error catalogue. */

it.each([
  ['passwords_differ', 'two passwords differ', '两次输入的密码不一致'],
  ['password_too_short', 'password length must not be under 8', '密码长度不得小于 8 位！'],
  ['login_incomplete', 'enter username and password', '请输入用户名和密码！'],
  ['wrong_login', 'username or password incorrect', '用户名或密码错误'],
  ['user_banned', 'user banned', '用户已被封禁'],
  [
    'user_not_readable',
    'no permission to read users at the same or higher level',
    '无权查看同级或更高等级的用户',
  ],
  [
    'user_not_updatable',
    'no permission to update users at the same or higher level',
    '无权更新同级或更高等级的用户',
  ],
  [
    'user_not_deletable',
    'no permission to delete users at the same or higher level',
    '无权删除同级或更高等级的用户',
  ],
  ['user_rank_too_high', 'cannot create users at or above own level', '无法创建等级不低于自己的用户'],
  ['promote_needs_root', 'a regular admin cannot promote users to admin', '普通管理员无法将用户提升为管理员'],
  ['root_not_disabled', 'the super admin cannot be disabled', '无法封禁超级管理员'],
  ['root_not_deleted', 'the super admin cannot be deleted', '无法删除超级管理员'],
  ['root_not_demoted', 'the super admin cannot be demoted', '无法降级超级管理员'],
  ['demo_site', 'demo site, no server', '本站仅作演示之用，无服务端！'],
  ['too_many_requests', 'too many requests, try later', '请求次数过多，请稍后再试'],
  ['not_signed_in', 'not logged in or expired, please log in again', '未登录或登录已过期，请重新登录'],
] as const)('%s', (key, en, zh) => {
  expect([say(key, 'en'), say(key, 'zh')]).toEqual([en, zh]);
});

it.each([
  ['internal', /^internal server error, contact admin/, /^服务器内部错误，请联系管理员/],
  ['register_off', /disabled by the administrator/, /已被管理员关闭/],
  ['password_register_off', /disabled by the administrator/, /已被管理员关闭/],
  ['password_login_off', /disabled by the administrator/, /已被管理员关闭/],
  ['provider_off', /disabled by the administrator/, /管理员未开启/],
  ['code_wrong', /verification code is wrong or has expired/, /验证码错误或已过期/],
  ['reset_refused', /reset link is invalid or has expired/, /重置链接非法或已过期/],
  ['human_check_failed', /^human verification failed/, /^人机验证失败/],
  ['human_check_away', /^human verification failed/, /^人机验证失败/],
  ['transfer_too_small', /minimum transfer/, /最低/],
  ['invalid_parameter', /^invalid parameter/, /^无效的参数/],
] as const)('%s begins as the catalogue says, and says more', (key, en, zh) => {
  expect([say(key, 'en'), say(key, 'zh')]).toEqual([expect.stringMatching(en), expect.stringMatching(zh)]);
});
