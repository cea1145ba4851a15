/** The code that the browser is to bring back. */
export interface AwaitedCode {
  code: Promise<string>;
  resolve(code: string): void;
  reject(error: Error): void;
}

export function awaitedCode(): AwaitedCode {
  let resolve: (code: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const code = new Promise<string>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  // The browser may be back before anybody waits.
  code.catch(() => {});
  return { code, resolve, reject };
}
