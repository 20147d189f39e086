package io.gpureclaimer.exporter.counters;

/** A file that is compiled in; it never changes. */
public final class BuiltInCounters implements CountersSource {
  private final Vocabulary vocabulary;

  /**
   * @param vocabulary whose names it uses
   */
  public BuiltInCounters(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  @Override
  public String name() {
    return "built-in counters " + vocabulary.text();
  }

  @Override
  public boolean isPolled() {
    return false;
  }

  @Override
  public Content read() {
    return new Content.Found(vocabulary.builtIn());
  }
}
