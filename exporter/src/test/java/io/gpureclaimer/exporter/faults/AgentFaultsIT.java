package io.gpureclaimer.exporter.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole agent on a node where, for minutes, one thing after the other goes wrong and well
 * again. Whatever it says meanwhile must have been true a moment ago, and what it can know it must
 * say. {@code -Dfaults.seed} sets another sequence, {@code -Dfaults.seconds} a longer one.
 */
@Tag("matrix")
class AgentFaultsIT {
  private static final long SEED = Long.getLong("faults.seed", 1);
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("faults.seconds", 60));
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /** A story is not over before it had all of these. */
  private static final Set<String> ALL =
      Set.of(
          "the driver is up",
          "the driver is down",
          "a GPU is up",
          "a GPU is down",
          "a pod holds a GPU",
          "a pod holds a part",
          "an observation",
          "work",
          "an XID",
          "no offer",
          "the counters file is good",
          "the counters file is broken");

  @TempDir Path folder;

  @Test
  void saysOnlyWhatIsTrue_andAllThatItCanKnow() throws IOException {
    try (var node = new FaultyNodeSimulation(folder);
        var agent = new TestAgent(node, folder);
        var stalls = new MachineStalls()) {
      agent.start();
      await().until(agent::isReady);
      var witness = new AgentCheck(node, stalls);
      var story = new FaultSequence(node, agent, new Random(SEED));
      var end = Instant.now().plus(LENGTH);
      var latest = end.plus(LENGTH.multipliedBy(4));
      while (Instant.now().isBefore(witness.things().containsAll(ALL) ? end : latest)) {
        story.goOn();
        var pauseEnds = Instant.now().plus(story.pause());
        await()
            .forever()
            .pollDelay(Duration.ZERO)
            .pollInterval(BETWEEN_LOOKS)
            .until(
                () -> {
                  witness.look(agent);
                  return Instant.now().isAfter(pauseEnds);
                });
        assertThat(witness.complaints())
            .as(
                () ->
                    String.join(
                        "\n", "seed " + SEED, story.soFar(), new String(agent.scrape(), UTF_8)))
            .isEmpty();
      }
      assertThat(witness.things()).containsAll(ALL);
    }
  }
}
