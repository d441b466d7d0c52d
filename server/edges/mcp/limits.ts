/** Limits of MCP. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  mcp_envelope_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'What a message of MCP may have beside the largest body of an operation',
    applies_to: 'POST /mcp',
  },
  mcp_result_bytes_max: {
    value: 131_072,
    unit: 'bytes',
    about:
      'Size of the reply of an operation in the result of a tool, which has it as text and as data',
    applies_to: 'tools of MCP',
  },
  mcp_page_bytes_max: {
    value: 98_304,
    unit: 'bytes',
    about: 'Size of a page of documents as JSON, as page_bytes_max for the other ways in',
    applies_to: 'tools of MCP',
  },
  mcp_messages_max: {
    value: 600,
    unit: 'messages',
    about:
      'Messages per key in any one window, those included that count as no request: initialize, ' +
      'notifications, lists and answers to questions. Each tools/call and resources/read is a request',
    applies_to: '/mcp',
  },
  mcp_messages_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: '/mcp',
  },
  mcp_question_valid_s: {
    value: 300,
    unit: 'seconds',
    about: 'How long a person may take to agree to what an assistant wants to do',
    applies_to: 'tools of MCP that ask the person first',
  },
  mcp_session_idle_s: {
    value: 3600,
    unit: 'seconds',
    about:
      'How long a session is kept in which nothing happens, and how long a stream of it is before ' +
      'its client has to open it again',
    applies_to: 'clients of MCP of 2025 that ask the person',
  },
  mcp_sessions_per_key_max: {
    value: 20,
    unit: 'sessions',
    about:
      'Sessions at one time; one more ends the one that was quiet for longest, and is served ' +
      'without a session where all are in use',
    applies_to: 'each API key and connection, with MCP of 2025',
  },
  mcp_sessions_max: {
    value: 2000,
    unit: 'sessions',
    about: 'Sessions at one time; one more is served without a session',
    applies_to: 'the whole service, with MCP of 2025',
  },
  mcp_session_questions_max: {
    value: 5,
    unit: 'questions',
    about: 'Questions that wait for the person at one time; one more waits as an approval',
    applies_to: 'each session of MCP',
  },
  mcp_question_value_characters_max: {
    value: 500,
    unit: 'characters',
    about: 'How much of each value the question to the person shows',
    applies_to: 'tools of MCP that ask the person first',
  },
  mcp_step_up_s: {
    value: 600,
    unit: 'seconds',
    about:
      'How long a connection that lacks a scope is answered in words after a 403 asked it for that ' +
      'scope',
    applies_to: 'POST /mcp',
  },
} as const satisfies Record<string, LimitEntry>
