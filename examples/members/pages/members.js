/** The page of the members: signs in by a code, shows the members and changes the own profile. */
const find = (id) => document.getElementById(id)
const signIn = find('sign-in')
const profile = find('profile')

async function send(method, path, body) {
  const reply = await fetch(path, {
    method,
    ...(body && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await reply.text()
  const answer = text === '' ? null : JSON.parse(text)
  if (!reply.ok) throw new Error(answer?.user_message ?? 'Something went wrong. Please try again.')
  return answer
}

/** Runs a step of a form, and shows what came of it. */
function onSubmit(form, step) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    find('says').textContent = ''
    try {
      find('says').textContent = (await step(Object.fromEntries(new FormData(form)))) ?? ''
    } catch (error) {
      find('says').textContent = error.message
    }
  })
}

onSubmit(signIn, async ({ email, code }) => {
  if (find('code').hidden) {
    await send('POST', '/api/_auth/code', { email })
    find('code').hidden = false
    find('code').querySelector('input').focus()
    return
  }
  await send('POST', '/api/_auth/session', { email, code })
  await show()
})

onSubmit(profile, async (given) => {
  await send('PUT', '/api/me', given)
  // The fields stay as they are: what somebody types meanwhile would be lost.
  await showMembers()
  return 'Saved.'
})

find('sign-out').addEventListener('click', async () => {
  await send('DELETE', '/api/_auth/session')
  await show()
})

async function show() {
  const { user } = await send('GET', '/api/_auth/session')
  if (user === null) return showParts(false)
  const [own] = await Promise.all([send('GET', '/api/me'), showMembers()])
  profile.elements.name.value = own.name
  profile.elements.about.value = own.about
  // Only filled in: what somebody types meanwhile would be lost.
  showParts(true)
}

async function showMembers() {
  const { members } = await send('GET', '/api/members')
  find('members').replaceChildren(
    ...members.map(({ name, about }) => {
      const item = document.createElement('li')
      item.textContent = about === '' ? name : `${name} — ${about}`
      return item
    }),
  )
}

function showParts(signed_in) {
  signIn.hidden = signed_in
  for (const part of [profile, find('members')]) part.hidden = !signed_in
}

await show()
