export const createOfficialHttp: (
  form: 'dual' | 'modern',
  journal?: string[],
) => { readonly fetch: (request: Request) => Promise<Response>; readonly close: () => Promise<void> };
