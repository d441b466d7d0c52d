/**
 * The types of an app of Homeport: `export default { … } satisfies App`. Secrets are in Env by their names:
 * `type MyEnv = Env & { PAYMENT_KEY: string }`, `satisfies App<MyEnv>`.
 */

export interface App<AppEnv extends Env = Env> {
  /** Answers a request below /api/ of the site. */
  fetch?(request: Request, env: AppEnv, ctx: Context): Response | Promise<Response>
  /** Runs at the times of the schedules. */
  scheduled?(event: ScheduledEvent, env: AppEnv, ctx: Context): void | Promise<void>
}

export interface ScheduledEvent {
  cron: string
  /** The time for which it runs, in milliseconds. */
  scheduledTime: number
}

export interface Context {
  /** Goes on with work after the response. */
  waitUntil(work: Promise<unknown>): void
}

/** Methods throw an Error whose name is that of the error of the API, such as not_found. */
export interface Env {
  DB: Database
  DATA: Data
  AUTH: Auth
  /** With "email" in services. */
  EMAIL: Email
  /** With "media" in services. */
  MEDIA: Media
  /** With "chat" in services. */
  CHAT: Chat
}

/** The app's own PostgreSQL. Throws a DatabaseError. */
export interface Database {
  /** Runs one statement; $1, $2 and so on are the parameters. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<Result<Row>>
  /** Runs all statements in one transaction, or none. */
  batch(statements: { sql: string; parameters?: unknown[] }[]): Promise<Result[]>
}

export interface Result<Row = Record<string, unknown>> {
  columns: string[]
  rows: Row[]
  /** Rows that were written or found. */
  row_count: number
  /** Whether further rows were left out. */
  truncated: boolean
}

/** The collections that the app names in collections. */
export interface Data {
  insert<Fields>(collection: string, data: Fields): Promise<Document<Fields>>
  get<Fields>(collection: string, id: string): Promise<Document<Fields>>
  list<Fields>(
    collection: string,
    query?: { filter?: string; sort?: string; limit?: number; cursor?: string },
  ): Promise<Page<Document<Fields>>>
  /** Merges the changes into the document. */
  update<Fields>(
    collection: string,
    id: string,
    changes: Partial<Fields>,
  ): Promise<Document<Fields>>
  delete(collection: string, id: string): Promise<null>
}

export interface Document<Fields = Record<string, unknown>> {
  id: string
  data: Fields
  created_at: string
  updated_at: string
}

export interface Page<One> {
  data: One[]
  next_cursor: string | null
}

export interface Auth {
  /** The signed-in visitor: `env.AUTH.user(request.headers)`. Null without one, and without auth. */
  user(headers: Headers): Promise<{ id: string; email: string } | null>
}

/** Email from a sending domain of the project, to people whom the project knows. */
export interface Email {
  send(email: {
    from: string
    to: string[]
    cc?: string[]
    bcc?: string[]
    reply_to?: string[]
    subject: string
    text?: string
    html?: string
    attachments?: { filename: string; content?: string; media_id?: string }[]
    tags?: Record<string, string>
    scheduled_at?: string
  }): Promise<{ id: string; status: string }>
}

/** The media library of the project. */
export interface Media {
  list(query?: {
    q?: string
    kind?: string
    folder?: string
    tag?: string
    limit?: number
    cursor?: string
  }): Promise<Page<MediaFile>>
  get(id: string): Promise<MediaFile>
  /** A URL of the file for 15 minutes, or of a smaller copy of a picture. */
  link(
    id: string,
    copy?: { width?: 160 | 320 | 640 | 960 | 1280 | 1920 | 2560; format?: string },
  ): Promise<{ url: string; expires_at: string }>
  /** Adds a file of at most 1.4 MB; larger ones go by an upload link. */
  put(file: {
    filename: string
    content_type: string
    content: string | Uint8Array | ArrayBuffer
  }): Promise<MediaFile>
  /**
   * A URL to which a page sends the bytes by PUT with `headers`. Throws file_too_large if `bytes` is over
   * `max_bytes`; the URL takes exactly the announced bytes.
   */
  uploadLink(file: {
    filename: string
    content_type: string
    bytes: number
    /** In hex. */
    sha256: string
    max_bytes?: number
  }): Promise<{
    upload_id: string
    url: string
    headers: Record<string, string>
    expires_at: string
    /** already_there: the library has these bytes; complete it at once. */
    status: 'needed' | 'already_there'
  }>
  /** Adds an uploaded file to the library. */
  complete(upload_id: string): Promise<MediaFile>
  /** Throws conflict if a site shows the file. */
  delete(id: string): Promise<null>
}

export interface MediaFile {
  id: string
  filename: string
  kind: string
  content_type: string
  bytes: number
  sha256: string
  width: number | null
  height: number | null
  alt: string | null
  status: 'processing' | 'ready' | 'failed' | 'blocked'
}

/** The assistant of the project. */
export interface Chat {
  /** Starts a conversation, or goes on with one. `reply` is null if a person answers later. */
  ask(
    text: string,
    options?: { conversation_id?: string; language?: string; visitor?: Visitor },
  ): Promise<{ conversation_id: string; reply: string | null }>
}

export interface Visitor {
  external_id?: string
  name?: string
  email?: string
  phone?: string
}
