/** What is chosen at the top of a dashboard. */
export class Variables {
  constructor(list) {
    this.all = list.map((variable) => ({ ...variable }));
  }

  /** @param chosen by names such as var-idle; of the rest what the dashboard says, or the first */
  static async of(list, chosen, prometheus) {
    const variables = new Variables(list);
    for (const name of Object.keys(chosen).filter((name) => name.startsWith('var-'))) {
      variables.named(name.slice('var-'.length));
    }
    // A query may name any of the others, and queries above it.
    const isQuery = ({ type }) => type === 'query';
    for (const variable of [...variables.all.filter((v) => !isQuery(v)), ...variables.all.filter(isQuery)]) {
      Object.assign(variable, await variables.choice(variable, chosen[`var-${variable.name}`], prometheus));
    }
    return variables;
  }

  /** The text that is shown and the value that is filled in. */
  async choice(variable, asked, prometheus) {
    if (variable.type === 'datasource') {
      return { text: 'Prometheus', value: 'prometheus' };
    }
    if (variable.type !== 'query') {
      const options = variable.type === 'custom' ? variable.query.split(', ').map((o) => o.split(' : ')) : [];
      const [text, value] = options.find(([, value]) => value === asked) ?? [asked, asked];
      return asked === undefined ? variable.current : { text, value };
    }
    if (asked === undefined && variable.includeAll) {
      return { text: 'All', value: variable.allValue };
    }
    const values = (await this.values(variable, prometheus)).sort();
    const value = asked ?? values[0];
    if (!values.includes(value)) {
      throw new Error(`${variable.label} can be ${values.join(', ') || 'nothing at all'}, not ${value}`);
    }
    return { text: value, value };
  }

  /** What can be chosen: values of a label, or what the regex finds in the series of an answer. */
  async values(variable, prometheus) {
    const query = this.fillIn(variable.query.query, {});
    const [, series, label] = /^label_values\((.*), ([$\w]+)\)$/s.exec(query) ?? [];
    if (series !== undefined) {
      return prometheus.labelValues(series, label);
    }
    const [, expression] = /^query_result\((.*)\)$/s.exec(query);
    const [, pattern] = /^\/(.*)\/$/s.exec(variable.regex);
    return (await prometheus.seriesOf(expression)).map((text) => new RegExp(pattern).exec(text)?.[1]).filter(Boolean);
  }

  named(name) {
    const found = this.all.find((variable) => variable.name === name);
    if (!found) {
      throw new Error(`no variable is called ${name}`);
    }
    return found;
  }

  fillIn(text, more) {
    return text.replace(/\$\{?([a-z_]\w*)\}?/g, (_, name) => more[name] ?? this.named(name).value);
  }

  shown() {
    return this.all.filter((variable) => variable.hide !== 2).map(({ label, text }) => ({ label, text: `${text}` }));
  }
}
