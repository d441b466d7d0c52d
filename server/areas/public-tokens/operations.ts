/** The operations of public chat tokens. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import * as tokens from './manage.ts'
import {
  ChatToken,
  ChatTokenChange,
  ChatTokenId,
  ChatTokenInput,
  ChatTokenList,
  NewChatToken,
} from './schema.ts'

export const list = operation({
  name: 'chat_tokens.list',
  route: 'GET /chat-tokens',
  about:
    'The public tokens of the project, newest first, revoked ones included, without the tokens ' +
    'themselves.',
  keywords:
    'publishable, widgets, embed codes, enumerate, permissions, website, chat box, keys of the ' +
    'page, domains',
  scope: 'chat:read',
  reach: 'selection',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: ChatTokenList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => tokens.list(caller, query),
})

export const create = operation({
  name: 'chat_tokens.create',
  route: 'POST /chat-tokens',
  about:
    'Creates a public token for web pages of some origins, and returns the script tag of the ' +
    'chat widget. Forms of these pages post to collections with public_write. Forms on sites of ' +
    'the project get their token at the deploy and need none of these.',
  keywords:
    'publishable, browser-safe, live chat bubble, chatbot, widget, embed code, snippet, web ' +
    'designer, form token, visitors type, landing page, session, restricted, rotate, ' +
    'WordPress, own page, issue, key for the browser, chat on my website, answer the questions on ' +
    'my website',
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  body: ChatTokenInput,
  status: 201,
  reply: NewChatToken,
  errors: ['conflict'],
  run: ({ body }, caller) => tokens.create(caller, body),
})

export const find = operation({
  name: 'chat_tokens.get',
  route: 'GET /chat-tokens/{id}',
  about: 'One public token, without the token itself.',
  keywords: 'widget token, embed settings, origins',
  scope: 'chat:read',
  reach: 'selection',
  effect: 'read',
  params: ChatTokenId,
  status: 200,
  reply: ChatToken,
  errors: ['not_found'],
  run: ({ params }, caller) => tokens.find(caller, params.id),
})

export const change = operation({
  name: 'chat_tokens.update',
  route: 'PATCH /chat-tokens/{id}',
  about:
    'Changes the name, the allowed origins, the daily limits, the human verification or the ' +
    'theme of a public token. They ' +
    'apply to pages with the token from their next request on.',
  keywords:
    'CORS, allowed origins, restrict, widget settings, colours, bubble, embed token, domains, ' +
    'daily limit, switch off the chat, deactivate, colour of the chat button, theme',
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ChatTokenId,
  body: ChatTokenChange,
  status: 200,
  reply: ChatToken,
  errors: ['not_found', 'chat_token_revoked'],
  run: ({ params, body }, caller) => tokens.change(caller, params.id, body),
})

export const revoke = operation({
  name: 'chat_tokens.delete',
  route: 'DELETE /chat-tokens/{id}',
  about:
    'Revokes a public token permanently: pages that still use it are refused from ' +
    'their next request on. The forms of a site get a new token at its next deploy.',
  keywords:
    'invalidate leaked, disable widget, remove chat bubble, rotate, kill, abused, retire, ' +
    'block, switch off the chat on the website',
  consent: {
    about:
      'Permanently disables the chat and forms of the pages that use this public ' +
      'token. The forms of a site of the project work again after its next publication.',
  },
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ChatTokenId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => tokens.remove(caller, params.id),
})
