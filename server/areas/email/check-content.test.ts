/** Tests of the check of the content of emails. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../contract/limits.ts'
import { readKnownBadLinks } from '../sites/service.ts'
import { checkContent } from './check-content.ts'

const bad_links = readKnownBadLinks('evil.example link It steals passwords.')
const codesOf = (html: string | null, text: string | null = null, subject = 'Hello') =>
  checkContent({ subject, text, html, bad_links }).map(({ code }) => code)

describe('an email', () => {
  test('passes with links, pictures and styles', () => {
    const html = `<html><body style="color: red"><p>Hello <b>Anna</b></p>
      <a href="https://shop.example.com/orders/1042">Your order</a>
      <a href="https://www.example.com/a?b=c">example.com</a>
      <a href="https://shop.example.com">https://www.example.com/orders</a>
      <a href="https://example.com"><img src="cid:logo" alt="Logo"></a>
      <a href="mailto:anna@example.com">anna@example.com</a>
      <img src="data:image/png;base64,AAAA"></body></html>`
    assert.deepEqual(
      codesOf(html, 'See https://example.com/orders. Your password was changed.'),
      [],
    )
  })

  test('is blocked for each rule', () => {
    const cases: readonly [string, string][] = [
      ['<a href="https://evil-bank.example">www.bank.com</a>', 'link_text_mismatch'],
      ['<a href="https://a.example/x">https://bank.com/login</a>', 'link_text_mismatch'],
      ['<a href="https://a.example/x">Go to https://bank.com now</a>', 'link_text_mismatch'],
      [
        '<a href="https://a.example">https://a.example or https://bank.com</a>',
        'link_text_mismatch',
      ],
      ['<a href="https://a.example">Go to www.bank.com.</a>', 'link_text_mismatch'],
      ['<a href="http://192.0.2.1/x">here</a>', 'link_to_ip'],
      ['<a href="http://0x7f000001/">here</a>', 'link_to_ip'],
      ['<form action="https://a.example"></form>', 'form'],
      ['<input name="a">', 'form'],
      ['<script>1</script>', 'script'],
      ['<svg><script>1</script></svg>', 'script'],
      ['<p onclick="x()">a</p>', 'script'],
      ['<a href=" java\nscript:alert(1)">a</a>', 'script'],
      ['<iframe src="https://a.example"></iframe>', 'script'],
      ['<meta http-equiv="refresh" content="0;url=https://a.example">', 'script'],
      ['<template><object></object></template>', 'script'],
      ['<a href="https://a.example"></a>', 'hidden_link'],
      ['<a href="https://a.example" style="font-size: 0">a</a>', 'hidden_link'],
      ['<a href="https://bit.ly/x">a</a>', 'link_shortener'],
      ['<a href="https://www.evil.example/x">a</a>', 'known_bad_link'],
      ['<p>Please reply with your password.</p>', 'password_request'],
      ['<p>Stuur ons uw pincode.</p>', 'password_request'],
    ]
    for (const [html, code] of cases) assert.deepEqual(codesOf(html), [code], html)
  })

  test('is blocked for links in its text, and for its subject', () => {
    assert.deepEqual(codesOf(null, 'See http://192.0.2.1/x'), ['link_to_ip'])
    assert.deepEqual(codesOf(null, 'See https://tinyurl.com/x.'), ['link_shortener'])
    assert.deepEqual(codesOf(null, 'See https://evil.example/.'), ['known_bad_link'])
    assert.deepEqual(codesOf(null, 'Hi', 'Reply with your PIN code'), ['password_request'])
  })

  test('of the largest size is checked', () => {
    const tags = limits.email_html_tags_max
    codesOf('<div>'.repeat(tags), null)
    codesOf(`<a href="https://a.example">${'b<i>'.repeat(tags - 1)}`, null)
    codesOf(`<p>${'send '.repeat(39_000)}</p>`, null)
    codesOf(null, 'https://a.example/ '.repeat(10_000))
  })
})
