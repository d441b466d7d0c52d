/** The page of the guest book: signs in by a code, shows entries and adds one. */
const find = (id) => document.getElementById(id)
const signIn = find('sign-in')
const write = find('write')

async function send(path, body, method = 'POST') {
  const reply = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const answer = text === '' ? null : JSON.parse(text)
  if (!reply.ok) throw new Error(answer?.user_message ?? 'Something went wrong. Please try again.')
  return answer
}

/** Runs a step of a form, and shows why it failed. */
function onSubmit(form, step) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    find('says').textContent = ''
    try {
      await step(Object.fromEntries(new FormData(form)))
    } catch (error) {
      find('says').textContent = error.message
    }
  })
}

onSubmit(signIn, async ({ email, code }) => {
  if (find('code').hidden) {
    await send('/api/_auth/code', { email })
    find('code').hidden = false
    find('code').querySelector('input').focus()
  } else {
    await send('/api/_auth/session', { email, code })
    await show()
  }
})

onSubmit(write, async ({ text }) => {
  await send('/api/entries', { text })
  // What somebody typed meanwhile stays.
  if (write.elements.text.value === text) write.reset()
  await show()
})

find('sign-out').addEventListener('click', async () => {
  await send('/api/_auth/session', null, 'DELETE')
  await show()
})

async function show() {
  const { user } = await send('/api/_auth/session', null, 'GET')
  signIn.hidden = user !== null
  write.hidden = user === null
  const { entries } = await send('/api/entries', null, 'GET')
  find('entries').replaceChildren(
    ...entries.map(({ name, text }) => {
      const item = document.createElement('li')
      item.textContent = `${text} — ${name}`
      return item
    }),
  )
}

await show()
