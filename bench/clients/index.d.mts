export const clients: Readonly<Record<string, { readonly title: string; readonly peer: boolean }>>;
export const clientNamed: (name: string) => Promise<unknown>;
