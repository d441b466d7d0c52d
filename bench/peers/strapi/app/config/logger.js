/** Errors alone, as ours. */
module.exports = { level: 'error' }
