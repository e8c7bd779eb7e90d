const callers = ['OpenAI SDK', 'Claude Code', 'curl'];
const upstreams = [
  { icon: 'openai', tint: false },
  { icon: 'claude-color', tint: true },
  { icon: 'gemini-color', tint: true },
  { icon: 'deepseek-color', tint: true },
  { icon: 'mistral-color', tint: true },
] as const;

const at = (index: number, count: number): number => 40 + ((index + 0.5) * 240) / count;

/** The picture of the gateway: callers at the left, one gate, many providers at the right. */
export const Route = () => (
  <div className="route" aria-hidden>
    <svg viewBox="0 0 520 320" className="route-lines">
      {callers.map((name, index) => (
        <path key={name} d={`M128 ${at(index, 3)}C190 ${at(index, 3)} 186 160 232 160`} />
      ))}
      {upstreams.map(({ icon }, index) => (
        <path
          key={icon}
          d={`M288 160C372 160 366 ${at(index, 5)} 480 ${at(index, 5)}`}
          className={`route-out route-out-${index}`}
        />
      ))}
    </svg>
    {callers.map((name, index) => (
      <span key={name} className="route-caller mono" style={{ '--y': `${(at(index, 3) / 320) * 100}%` }}>
        {name}
      </span>
    ))}
    <span className="route-gate">
      <svg width="34" height="34" viewBox="0 0 32 32">
        <path
          d="M8 25V13.5a8 8 0 0 1 16 0V25M8 18.2h16M13.3 25v-6.8M18.7 25v-6.8"
          fill="none"
          stroke="currentcolor"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
    {upstreams.map(({ icon, tint }, index) => (
      <span key={icon} className="route-upstream tile" style={{ '--y': `${(at(index, 5) / 320) * 100}%` }}>
        {tint ? (
          <img src={`/icons/${icon}.svg`} alt="" width={20} height={20} />
        ) : (
          <span className="tile-mask" style={{ maskImage: `url(/icons/${icon}.svg)` }} />
        )}
      </span>
    ))}
  </div>
);
