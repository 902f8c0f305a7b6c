import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { published } from '../support/servers/published.js';

describe('@modelcontextprotocol/server-sequential-thinking', () => {
  it('is found to be legacy, lists its one tool and thinks', async () => {
    const client = published('mcp-server-sequential-thinking', []);
    const { promises } = client;
    expect(await promises.server()).toMatchObject({ era: 'legacy', info: { name: 'sequential-thinking-server' } });
    expect((await promises.listTools()).map(({ name }) => name)).toEqual(['sequentialthinking']);
    const thought = { thought: 'one', thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true };
    const stderr = firstValueFrom(client.stderr$);
    const { structuredContent } = await promises.callTool('sequentialthinking', thought);
    expect(structuredContent).toMatchObject({ thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true });
    // What it thinks goes to stderr, which is no sign of failure.
    expect(await stderr).toBeDefined();
  });
});
