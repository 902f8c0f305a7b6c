/**
 * The root of every failure this library raises. Catch it to tell a failure of the
 * conversation with a server from a bug of your own; look at `name`, or use `instanceof`
 * with a subclass, to tell the failures apart. The facts of each are fields, not prose.
 */
export abstract class McpError extends Error {
  abstract override readonly name: string;
}
