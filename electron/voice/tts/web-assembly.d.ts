/** The part of WebAssembly that we use: Node has it, its types only name it. */
declare var WebAssembly: {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  instantiate(module: WebAssembly.Module, imports: object): Promise<WebAssembly.Instance>;
};
