/** The page of the bookings: offers the free times of a day, and books one. */
const form = document.getElementById('booking')
const says = document.getElementById('says')
const { day, time } = form.elements

async function send(path, body) {
  const reply = await fetch(path, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = await reply.json()
  if (!reply.ok) throw new Error(answer.user_message ?? 'Something went wrong. Please try again.')
  return answer
}

async function showTimes() {
  const asked = day.value
  const { times } = await send(`/api/times?day=${asked}`)
  // Another day was chosen meanwhile, whose times come.
  if (day.value !== asked) return
  const chosen = time.value
  time.replaceChildren(...times.map((one) => new Option(one)))
  if (times.includes(chosen)) time.value = chosen
  if (times.length === 0) says.textContent = 'This day is full.'
}

day.addEventListener('change', () => {
  says.textContent = ''
  showTimes().catch((error) => (says.textContent = error.message))
})

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  says.textContent = ''
  try {
    const booked = await send('/api/bookings', Object.fromEntries(new FormData(form)))
    says.textContent = `Your table is booked for ${booked.day} at ${booked.time}.`
  } catch (error) {
    says.textContent = error.message
  }
  await showTimes()
})
