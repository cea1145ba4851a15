/** A proxy on the way that wants to know who asks, or does not take what it was told. Nothing was sent beyond it. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  /** What the user can do. */
  readonly hint: string;

  /** @param proxy `host:port` @param hadLogin it was given a name and a password */
  constructor(proxy: string, hadLogin: boolean) {
    super(
      hadLogin
        ? `The proxy ${proxy} does not accept the name and password from the environment.`
        : `The proxy ${proxy} asks for a name and a password.`,
    );
    this.hint = `Start Parley with https_proxy=http://NAME:PASSWORD@${proxy} in the environment (write characters such as @ and : as %40 and %3A).`;
  }
}

/** The refusal behind an error: clients wrap what went wrong below them. */
export function proxyRefusalIn(error: unknown): ProxyRefusal | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProxyRefusal) return at;
  return null;
}
