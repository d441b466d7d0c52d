// Homeport forms: sends every <form data-collection="…" data-token="hm_pub_…"> of a page, checked
// in the visitor's browser by the schema of the collection. The server has the last word.
// oxlint-disable complexity, max-lines-per-function -- one file of at most 5 kB, without a build
;(() => {
  const names = ['en', 'nl', 'de', 'fr', 'es']
  const words = {
    required: [
      'Please fill this in.',
      'Vul dit in.',
      'Bitte ausfüllen.',
      'À remplir.',
      'Rellena esto.',
    ],
    invalid: [
      'This is not right yet.',
      'Dit klopt nog niet.',
      'Das stimmt noch nicht.',
      'Pas encore correct.',
      'Aún no es correcto.',
    ],
    number: [
      'Enter a number.',
      'Vul een getal in.',
      'Bitte eine Zahl.',
      'Entrez un nombre.',
      'Escribe un número.',
    ],
    integer: [
      'Enter a whole number.',
      'Vul een heel getal in.',
      'Bitte eine ganze Zahl.',
      'Entrez un nombre entier.',
      'Escribe un número entero.',
    ],
    email: [
      'Enter an email address.',
      'Vul een e-mailadres in.',
      'Bitte eine E-Mail-Adresse.',
      'Entrez une adresse e-mail.',
      'Escribe un correo electrónico.',
    ],
    url: [
      'Enter a web address.',
      'Vul een webadres in.',
      'Bitte eine Webadresse.',
      'Entrez une adresse web.',
      'Escribe una dirección web.',
    ],
    date: [
      'Enter a date.',
      'Vul een datum in.',
      'Bitte ein Datum.',
      'Entrez une date.',
      'Escribe una fecha.',
    ],
    enum: [
      'Choose an option.',
      'Kies een optie.',
      'Bitte wählen.',
      'Choisissez une option.',
      'Elige una opción.',
    ],
    minLength: [
      'At least # characters.',
      'Minstens # tekens.',
      'Mindestens # Zeichen.',
      'Au moins # caractères.',
      'Al menos # caracteres.',
    ],
    maxLength: [
      'At most # characters.',
      'Hoogstens # tekens.',
      'Höchstens # Zeichen.',
      'Au plus # caractères.',
      'Como máximo # caracteres.',
    ],
    minimum: ['At least #.', 'Minstens #.', 'Mindestens #.', 'Au moins #.', 'Al menos #.'],
    maximum: ['At most #.', 'Hoogstens #.', 'Höchstens #.', 'Au plus #.', 'Como máximo #.'],
    check: [
      'Not sent yet: look at what is marked.',
      'Nog niet verzonden: kijk naar wat gemarkeerd is.',
      'Noch nicht gesendet: bitte das Markierte prüfen.',
      'Pas encore envoyé : vérifiez ce qui est signalé.',
      'Aún no enviado: revisa lo señalado.',
    ],
    sending: ['Sending…', 'Bezig met verzenden…', 'Wird gesendet…', 'Envoi en cours…', 'Enviando…'],
    sent: [
      'Thank you, it has been sent.',
      'Bedankt, het is verzonden.',
      'Danke, es wurde gesendet.',
      'Merci, c’est envoyé.',
      'Gracias, se ha enviado.',
    ],
    failed: [
      'It could not be sent. Please try again in a minute.',
      'Verzenden is niet gelukt. Probeer het over een minuut opnieuw.',
      'Das Senden ist nicht gelungen. Bitte in einer Minute erneut versuchen.',
      'L’envoi a échoué. Réessayez dans une minute.',
      'No se pudo enviar. Inténtalo dentro de un minuto.',
    ],
  }
  const script = document.currentScript ?? document.querySelector('script[src*="/forms.js"]')
  const root = new URL('/api/v1/public/collections/', script.src).href
  const FILL_MS = 2100
  const formats = {
    email: ['email', /^[^\s@]+@[^\s@]+\.[^\s@.]+$/],
    url: ['url', /^https?:\/\/\S+$/],
    date: ['date', /^\d{4}-\d\d-\d\d$/],
  }
  let count = 0
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    ':where(.hp-error){margin:.25em 0;color:#b3261e}:where(.hp-status:empty){display:none}' +
      '.hp-trap{position:absolute;left:-999em}',
  )
  document.adoptedStyleSheets.push(sheet)

  const languageOf = (form) => {
    const wanted = [form.closest('[lang]')?.lang, ...navigator.languages]
    const index = wanted.map((tag) => names.indexOf(tag?.slice(0, 2).toLowerCase()))
    return index.find((one) => one >= 0) ?? 0
  }

  const pointed = (top, reference) =>
    decodeURIComponent(reference)
      .slice(2)
      .split('/')
      .reduce((at, part) => at?.[part.replace(/~1/g, '/').replace(/~0/g, '~')], top)

  /** A schema with what it refers to and all of allOf taken in. The server refuses circles. */
  const flat = (schema, top) => {
    const { $ref, allOf = [], ...own } = schema ?? {}
    const parts = $ref?.startsWith('#/') ? [...allOf, pointed(top, $ref)] : allOf
    const views = [...parts.map((one) => flat(one, top)), own]
    return views.reduce(
      (all, { properties, required = [], ...one }) => ({
        ...all,
        ...one,
        properties: { ...all.properties, ...properties },
        required: [...all.required, ...required],
      }),
      { required: [] },
    )
  }

  const valueOf = (text, { enum: known = [], const: fixed, type = 'string', format }) => {
    const chosen = [...known, fixed].find((one) => String(one) === text)
    if (chosen !== undefined) return chosen
    if (format === 'date-time') return new Date(text).toISOString()
    if (/number|integer/.test(type) && text.trim() && !isNaN(text)) return Number(text)
    return type === 'boolean' ? text === 'true' || text === 'on' : text
  }

  /** What is filled in, as a document, and the elements of each of its places. */
  const read = (form, top) => {
    const data = {}
    const places = new Map()
    for (const element of form.elements) {
      const { name, type, value, checked } = element
      if (
        !name ||
        element.matches(':disabled,button,fieldset,output,[type=submit],[type=file]') ||
        /^(token|redirect|hp_\w+)$/.test(name)
      )
        continue
      let view = flat(top, top)
      const plain = name.replace(/\[\]$/, '')
      const path = view.properties[plain] ? [plain] : plain.split('.')
      const key = '/' + path.join('/')
      places.set(key, [...(places.get(key) ?? []), element])
      const last = path.pop()
      const isOff = /checkbox|radio/.test(type) && !checked
      const texts = isOff
        ? []
        : element.selectedOptions
          ? [...element.selectedOptions].map((one) => one.value)
          : [value]
      let holder = data
      for (const part of path) {
        view = flat(view.properties[part], top)
        if (texts.join('')) holder = holder[part] ??= {}
      }
      const own = flat(view.properties[last], top)
      if (isOff && own.type === 'boolean' && view.required.includes(last)) holder[last] ??= false
      for (const text of texts.filter(Boolean)) {
        if (own.type === 'array') (holder[last] ??= []).push(valueOf(text, flat(own.items, top)))
        else holder[last] = valueOf(text, own)
      }
    }
    return { data, places }
  }

  const typeIs = (value, type) =>
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'array'
        ? Array.isArray(value)
        : typeof value === type

  /** Calls tell(path, key of words, number) for what is wrong; what it does not know, the server does. */
  const check = (schema, value, { path = '', top, tell }) => {
    const view = flat(schema, top)
    const types = [view.type ?? []].flat()
    const measure = (size, least, most) => {
      if (size < view[least]) tell(path, words[least] ? least : 'minimum', view[least])
      if (size > view[most]) tell(path, words[most] ? most : 'maximum', view[most])
    }
    if (types[0] && !types.some((type) => typeIs(value, type)))
      tell(path, words[types[0]] ? types[0] : 'invalid')
    if (view.enum?.includes(value) === false) tell(path, 'enum')
    if (view.const !== undefined && view.const !== value) tell(path, 'required')
    if (typeof value === 'string') {
      const [word, format] = formats[view.format] ?? []
      measure([...value].length, 'minLength', 'maxLength')
      if (format && !format.test(value)) tell(path, word)
      if (view.pattern && !fits(view.pattern, value)) tell(path, 'invalid')
    } else if (typeof value === 'number') measure(value, 'minimum', 'maximum')
    else if (Array.isArray(value)) {
      measure(value.length, 'minItems', 'maxItems')
      for (const one of value) check(view.items, one, { path, top, tell })
    } else if (value === Object(value)) {
      for (const name of view.required)
        if (!Object.hasOwn(value, name)) tell(`${path}/${name}`, 'required')
      for (const name in value)
        check(view.properties[name], value[name], { path: `${path}/${name}`, top, tell })
    }
  }
  const fits = (pattern, text) => {
    try {
      return new RegExp(pattern, 'u').test(text)
    } catch {
      return true
    }
  }

  const solve = async ({ challenge, salt, maxnumber, ...rest }) => {
    const encoder = new TextEncoder()
    const hash = async (number) => {
      const bytes = new Uint8Array(
        await crypto.subtle.digest('SHA-256', encoder.encode(salt + number)),
      )
      return (
        bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '') === challenge
      )
    }
    for (let from = 0; from <= maxnumber; from += 500) {
      const found = await Promise.all(Array.from({ length: 500 }, (_, index) => hash(from + index)))
      const number = from + found.indexOf(true)
      if (number >= from) return btoa(JSON.stringify({ ...rest, challenge, salt, number }))
    }
  }

  const start = (form) => {
    const { collection } = form.dataset
    const token = form.dataset.token ?? form.elements.token?.value
    const language = languageOf(form)
    const say = (word, number) => words[word][language].replace('#', number)
    const get = async (what) => {
      const reply = await fetch(`${root}${collection}/${what}?token=${token}`)
      return reply.ok ? reply.json() : null
    }
    let loaded
    const described = get('form')
      .catch(() => {})
      .finally(() => (loaded = performance.now()))
    form.insertAdjacentHTML('beforeend', '<p class="hp-status" role="status" tabindex="-1"></p>')
    const status = form.lastElementChild
    if (!form.elements.hp_website)
      form.insertAdjacentHTML(
        'beforeend',
        '<div class="hp-trap" aria-hidden="true"><input name="hp_website" tabindex="-1" autocomplete="off"></div>',
      )
    const marks = new Map()
    let native = false

    const unmark = () => marks.forEach((undo) => undo())
    const mark = (key, elements, text) => {
      const note = document.createElement('p')
      note.className = 'hp-error'
      note.id = `hp-error-${++count}`
      note.textContent = text
      const last = elements.at(-1)
      const group = elements[1] && last.closest('fieldset')
      if (group) group.append(note)
      else (last.closest('label') ?? last).after(note)
      const before = elements.map((element) => element.getAttribute('aria-describedby') ?? '')
      elements.forEach((element, index) => {
        element.ariaInvalid = 'true'
        element.setAttribute('aria-describedby', `${before[index]} ${note.id}`.trim())
      })
      // Called to take the mark away again.
      marks.set(key, () => {
        marks.delete(key)
        note.remove()
        elements.forEach((element, index) => {
          element.ariaInvalid = null
          element.setAttribute('aria-describedby', before[index])
        })
      })
    }
    const show = (text, isFault) => {
      status.role = isFault ? 'alert' : 'status'
      status.textContent = text
    }
    /** Faults that belong to no field of the page are told at the end of the form. */
    const place = (path, places) => {
      let key = path
      while (key && !places.has(key)) key = key.slice(0, key.lastIndexOf('/'))
      return key
    }
    const faultsIn = (schema) => {
      const { data, places } = read(form, schema)
      const faults = new Map()
      const tell = (path, word, number) => {
        const key = place(path, places)
        if (!faults.has(key)) faults.set(key, [word, number])
      }
      check(schema, data, { top: schema, tell })
      for (const [key, elements] of places)
        for (const one of elements)
          if (one.willValidate && !one.validity.valid && !faults.has(key))
            faults.set(key, [
              one.validity.valueMissing
                ? 'required'
                : one.validity.typeMismatch
                  ? one.type
                  : 'invalid',
            ])
      return { data, places, faults }
    }
    const reveal = (texts, places) => {
      unmark()
      for (const [key, elements] of places) if (texts.has(key)) mark(key, elements, texts.get(key))
      show([say('check'), texts.get('')].filter(Boolean).join(' '), true)
      for (const element of form.elements)
        if (element.ariaInvalid === 'true') return element.focus()
    }

    const send = async ({ challenge, started }, data) => {
      const signs = { hp_started: started, hp_website: form.elements.hp_website.value }
      if (challenge) signs.hp_challenge = await solve(await get('challenge'))
      // No person reads and fills in a form in an instant, so the server asks for a little time.
      await new Promise((done) => setTimeout(done, FILL_MS - (performance.now() - loaded)))
      return fetch(`${root}${collection}/documents`, {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ ...data, ...signs }),
      })
    }
    const finish = () => {
      const address = form.elements.redirect?.value
      if (address && /^https?:$/.test(new URL(address, location).protocol))
        return location.assign(address)
      form.reset()
      show(form.dataset.success ?? say('sent'))
      status.focus()
    }

    form.addEventListener('submit', async (event) => {
      if (native) return
      event.preventDefault()
      if (form.ariaBusy) return
      const description = await described
      // Without a description, or with files, the form is sent as one without a script.
      if (!description || [...form.elements].some(({ files }) => files?.length)) {
        native = true
        // While the event is still on its way, a browser sends nothing.
        return form.getAttribute('action')
          ? setTimeout(() => form.requestSubmit())
          : show(say('failed'), true)
      }
      const { data, places, faults } = faultsIn(description.schema)
      if (faults.size)
        return reveal(new Map([...faults].map(([key, fault]) => [key, say(...fault)])), places)
      unmark()
      const buttons = form.querySelectorAll('button,[type=submit]')
      form.ariaBusy = 'true'
      for (const button of buttons) button.disabled = true
      show(say('sending'))
      const reply = await send(description, data).catch(() => null)
      form.ariaBusy = null
      for (const button of buttons) button.disabled = false
      if (reply?.ok) return finish()
      const { errors } = (await reply?.json().catch(() => null)) ?? {}
      if (reply?.status !== 422 || !errors) return show(say('failed'), true)
      const told = errors.map(({ path, message }) => [
        place(path, places),
        language ? say('invalid') : message,
      ])
      reveal(new Map(told), places)
    })
    form.addEventListener('input', async () => {
      const description = marks.size && (await described)
      if (!description) return
      const { faults } = faultsIn(description.schema)
      for (const [key, undo] of marks) if (!faults.has(key)) undo()
      if (!marks.size) show('')
    })
    form.noValidate = true
    described.then((description) => (form.noValidate = !!description))
  }

  const startAll = () => document.querySelectorAll('form[data-collection]').forEach(start)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', startAll)
  else startAll()
})()
