/** Bookings of a table: one for each day and time, which the unique constraint of the table ensures. */
import type { App, Env } from './app.d.ts'

/** SENDER is a secret such as "Bakery <orders@bakery.example>"; without it no mail is sent. */
type BookingEnv = Env & { SENDER?: string }

interface Booking {
  day: string
  time: string
  name: string
  email: string
}

const TIMES = ['17:30', '19:00', '20:30']

// oxlint-disable-next-line import/no-default-export -- the handlers of an app
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    const route = `${request.method} ${pathname}`
    if (route === 'GET /api/times') return freeTimes(env, searchParams.get('day') ?? '')
    if (route === 'POST /api/bookings') return book(env, await request.json())
    return refuse(404, 'There is nothing at this address.')
  },
} satisfies App<BookingEnv>

async function freeTimes(env: BookingEnv, day: string): Promise<Response> {
  if (!isDay(day)) return refuse(422, 'Choose a day.')
  const { rows } = await env.DB.query<{ time: string }>(
    'select time from bookings where day = $1',
    [day],
  )
  const taken = new Set(rows.map(({ time }) => time))
  return Response.json({ times: TIMES.filter((time) => !taken.has(time)) })
}

async function book(env: BookingEnv, given: unknown): Promise<Response> {
  const { day = '', time = '', name = '', email = '' } = Object(given) as Partial<Booking>
  if (!isDay(day) || !TIMES.includes(time)) return refuse(422, 'Choose a day and a time.')
  if (day < new Date().toISOString().slice(0, 10)) return refuse(422, 'This day is over.')
  if (name.trim() === '' || name.length > 100) return refuse(422, 'Enter your name.')
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) return refuse(422, 'Enter your email address.')
  const { row_count } = await env.DB.query(
    `insert into bookings (day, time, name, email) values ($1, $2, $3, $4)
      on conflict (day, time) do nothing`,
    [day, time, name.trim(), email],
  )
  if (row_count === 0) return refuse(409, 'This table has just been taken. Choose another time.')
  await confirm(env, { day, time, name, email })
  return Response.json({ day, time }, { status: 201 })
}

/** The record makes the visitor known to the project, which mail needs. The booking stays without it. */
async function confirm(env: BookingEnv, booking: Booking): Promise<void> {
  if (!env.SENDER) return
  const { day, time, name, email } = booking
  try {
    await env.DATA.insert('bookings', booking)
    await env.EMAIL.send({
      from: env.SENDER,
      to: [email],
      subject: `Your table on ${day} at ${time}`,
      text: `Hello ${name},\n\nYour table is booked for ${day} at ${time}. See you then!`,
    })
  } catch (error) {
    console.error('The confirmation could not be sent.', String(error))
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

function refuse(status: number, user_message: string): Response {
  return Response.json({ user_message }, { status })
}
