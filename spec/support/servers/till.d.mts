export const createTill: (ran: string[]) => { readonly fetch: (request: Request) => Promise<Response> };
