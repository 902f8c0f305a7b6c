import { connectHttp } from 'rx-mcp';

/** Calls the server of the page, and answers with what was heard of the call. */
export const bake = async (origin: string): Promise<string> => {
  const mcp = connectHttp({ url: new URL('/mcp', origin) });
  const heard: string[] = [];
  await mcp.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach((event) => {
    if (event.kind === 'progress') heard.push(String(event.progress));
    if (event.kind === 'result')
      heard.push(event.result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  });
  await mcp.close();
  return heard.join(', ');
};
