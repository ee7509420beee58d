/** Takes a file that is dropped anywhere on the page, or chosen in the form, and sends it with a bar that moves. */
export const takeDrops = (form) => {
  if (!form) return
  const input = form.querySelector('input[type="file"]')
  const chosen = form.querySelector('output')
  const veil = makeVeil(form.dataset.dropText)
  let depth = 0

  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files')
  window.addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    depth++
    veil.hidden = false
  })
  window.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1)
    veil.hidden = depth === 0
  })
  window.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault())
  window.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    depth = 0
    veil.hidden = true
    input.files = event.dataTransfer.files
    form.requestSubmit()
  })
  input.addEventListener('change', () => {
    chosen.textContent = input.files[0]?.name ?? ''
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.files.length > 0) send(form, input.files[0])
  })
}

const makeVeil = (text) => {
  const veil = document.createElement('div')
  veil.className = 'veil'
  veil.hidden = true
  const label = document.createElement('p')
  label.textContent = text
  veil.append(label)
  document.body.append(veil)
  return veil
}

/** `fetch` does not report upload progress; XMLHttpRequest does. */
const send = (form, file) => {
  const fields = new FormData()
  for (const [name, value] of new FormData(form)) if (name !== 'file') fields.append(name, value)
  fields.append('file', file)
  const request = new XMLHttpRequest()
  const show = progressOf(form)
  request.upload.addEventListener('progress', ({ loaded, total }) => show(loaded / total))
  request.addEventListener('load', () => arrive(form, request))
  request.addEventListener('error', () => complain(form, form.dataset.failed))
  request.open('POST', form.action)
  request.setRequestHeader('x-requested-with', 'vigia')
  show(0)
  request.send(fields)
}

/** The answer is a redirect, which was followed: its address is the new batch's. */
const arrive = (form, request) => {
  if (request.status < 400) window.location.assign(request.responseURL)
  else complain(form, request.responseText || form.dataset.failed)
}

const complain = (form, text) => {
  const notice = form.querySelector('#upload-trouble')
  notice.textContent = text
  notice.hidden = false
  form.querySelector('#upload-progress').hidden = true
  form.querySelector('input[type="file"]').value = ''
  form.querySelector('output').textContent = ''
}

const progressOf = (form) => {
  const box = form.querySelector('#upload-progress')
  const bar = box.querySelector('progress')
  const text = box.querySelector('span')
  form.querySelector('#upload-trouble').hidden = true
  box.hidden = false
  return (share) => {
    bar.value = share
    text.textContent = `${form.dataset.sending} ${Math.round(share * 100)} %`
  }
}
