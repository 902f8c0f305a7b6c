// A page that esbuild bundles.
import { connectHttp } from 'rx-mcp';

const mcp = connectHttp({ url: new URL('/mcp', location.href) });
const heard = [];
await mcp.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach((event) => {
  heard.push(event.kind === 'progress' ? event.progress : event.result.content[0].text);
});
await mcp.close();
document.getElementById('page').textContent = heard.join(', ');
