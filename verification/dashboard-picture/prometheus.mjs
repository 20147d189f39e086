/** A Prometheus, asked as Grafana's data source asks one. Times are seconds since the epoch. */
export class Prometheus {
  constructor(address, start, end, scrapeInterval) {
    Object.assign(this, { address, start, end, scrapeInterval });
  }

  /** @param from such as now-6h */
  static async at(address, from) {
    const [, count, unit] = /^now-(\d+)([mhd])$/.exec(from) ?? fail(`from is like now-6h, not ${from}`);
    const end = Date.now() / 1000;
    const range = count * { m: 60, h: 3600, d: 86400 }[unit];
    const prometheus = new Prometheus(address.replace(/\/$/, ''), end - range, end, 15);
    const { yaml } = await prometheus.get('status/config', {});
    prometheus.scrapeInterval = seconds(/scrape_interval: (\S+)/.exec(yaml)[1]);
    return prometheus;
  }

  async get(path, parameters) {
    const response = await fetch(`${this.address}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const answer = await response.json();
    return answer.status === 'success' ? answer.data : fail(`${answer.error}\n${JSON.stringify(parameters)}`);
  }

  /** The values of label_values(SERIES, LABEL). */
  async labelValues(series, label) {
    return this.get(`label/${label}/values`, { 'match[]': series, start: this.start, end: this.end });
  }

  /** The series of an answer to query_result(EXPRESSION), as Grafana writes them. */
  async seriesOf(expression) {
    const answer = await this.get('query', { query: expression, time: this.end });
    return answer.result.map(({ metric }) => `{${Object.entries(metric).map(([n, v]) => `${n}="${v}"`).join(',')}}`);
  }

  /** What a panel of this width gets to its question. */
  async ask(target, width, fillIn) {
    const step = this.step(width);
    const query = fillIn(target.expr, {
      __rate_interval: `${Math.max(step + this.scrapeInterval, 4 * this.scrapeInterval)}s`,
      __range_s: `${Math.round(this.end - this.start)}`,
      __range: `${Math.round(this.end - this.start)}s`,
    });
    const answer = target.instant
      ? await this.get('query', { query, time: this.end })
      : await this.get('query_range', { query, step, start: aligned(this.start, step), end: aligned(this.end, step) });
    return { refId: target.refId, step, series: answer.resultType === 'scalar' ? [{ metric: {}, value: answer.result }] : answer.result };
  }

  /** A point for every pixel at most, of a round number of seconds, not below the scrape interval. */
  step(width) {
    const least = Math.max((this.end - this.start) / width, this.scrapeInterval);
    return [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600].find((round) => round >= least);
  }
}

function aligned(time, step) {
  return Math.floor(time / step) * step;
}

function seconds(duration) {
  const [, count, unit] = /^(\d+)([smh])$/.exec(duration) ?? fail(`cannot read the interval ${duration}`);
  return count * { s: 1, m: 60, h: 3600 }[unit];
}

function fail(message) {
  throw new Error(message);
}
