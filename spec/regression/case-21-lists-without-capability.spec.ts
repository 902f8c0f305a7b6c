import { describe, expect, it } from '@jest/globals';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING } from '../support/client/scripted.js';

describe.each(ERAS)('case 21: lists of a %s server that does not have them', (era) => {
  it('are empty without being asked for where nothing was declared', async () => {
    const server = scriptedTransport({}, { era, capabilities: {} });
    const { promises } = connect(server, { era });
    expect(await promises.listPrompts()).toEqual([]);
    expect(await promises.listResources()).toEqual([]);
    expect(await promises.listResourceTemplates()).toEqual([]);
    expect(await promises.listTools()).toEqual([]);
    expect(methodsOf(server)).toEqual(OPENING[era]);
  });

  it('are empty where they were declared and the method is unknown, and the client goes on', async () => {
    const capabilities = { prompts: {}, resources: {}, tools: {} };
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era, capabilities });
    const { promises } = connect(server, { era });
    expect(await promises.listPrompts()).toEqual([]);
    expect(await promises.listResources()).toEqual([]);
    expect(await promises.listResourceTemplates()).toEqual([]);
    expect(await promises.listTools()).toEqual([]);
    expect(await promises.callTool('t')).toMatchObject({ content: [] });
  });
});
