/** The page of the members: shows the members and changes the own profile. */
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

profile.addEventListener('submit', async (event) => {
  event.preventDefault()
  find('says').textContent = ''
  try {
    await send('PUT', '/api/me', Object.fromEntries(new FormData(profile)))
    // The fields stay as they are: what somebody types meanwhile would be lost.
    await showMembers()
    find('says').textContent = 'Saved.'
  } catch (error) {
    find('says').textContent = error.message
  }
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
