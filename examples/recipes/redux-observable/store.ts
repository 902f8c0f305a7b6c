import { applyMiddleware, legacy_createStore as createStore } from 'redux';
import { createEpicMiddleware } from 'redux-observable';
import { type Baking, IDLE } from '../bakery.js';
import type { BakeryAction } from './actions.js';
import { bakeryEpic } from './epics.js';

export interface BakeryState {
  readonly tools: readonly string[];
  readonly baking: Baking;
}

const EMPTY: BakeryState = { tools: [], baking: IDLE };

const reduce = (state: BakeryState = EMPTY, action: BakeryAction): BakeryState => {
  switch (action.type) {
    case 'bakery/listed':
      return { ...state, tools: action.tools };
    case 'bakery/reported':
      return { ...state, baking: action.baking };
    case 'bakery/stopped':
      return { ...state, baking: IDLE };
    default:
      return state;
  }
};

const epics = createEpicMiddleware<BakeryAction, BakeryAction, BakeryState>();

/** The store. It stays plain data: calls, and what becomes of them, are the epics' own. */
export const store = createStore(reduce, applyMiddleware(epics));

epics.run(bakeryEpic);
