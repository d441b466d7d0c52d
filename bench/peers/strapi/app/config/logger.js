/** Logs errors only, as Homeport does in the benchmark. */
module.exports = { level: 'error' }
