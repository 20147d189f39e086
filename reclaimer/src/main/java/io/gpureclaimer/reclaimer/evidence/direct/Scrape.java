package io.gpureclaimer.reclaimer.evidence.direct;

import java.net.URI;
import java.time.Instant;
import java.util.List;

/** How one scrape of one agent turned out. */
sealed interface Scrape {

  /**
   * The agent answered.
   *
   * @param agent its address
   * @param at when it was asked, by our clock
   * @param samples those of the wanted metrics
   */
  record Answered(URI agent, Instant at, List<TextSample> samples) implements Scrape {
    public Answered {
      samples = List.copyOf(samples);
    }
  }

  /**
   * It did not, or not so that one could believe it.
   *
   * @param agent its address
   * @param why what was expected and what was found
   */
  record Failed(URI agent, String why) implements Scrape {
    @Override
    public String toString() {
      return "agent " + agent + ": " + why;
    }
  }
}
