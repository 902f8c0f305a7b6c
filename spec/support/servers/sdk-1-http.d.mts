export interface AncestorHttp {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly sessions: number;
  readonly announce: () => void;
}

export const createAncestorHttp: (options?: {
  readonly resumable?: boolean;
  readonly journal?: string[];
  readonly gate?: (id: string) => Promise<unknown>;
}) => AncestorHttp;
