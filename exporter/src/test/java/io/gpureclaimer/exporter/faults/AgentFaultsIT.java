package io.gpureclaimer.exporter.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole agent on a node where, for minutes, one thing after the other goes wrong and well
 * again. Whatever it says meanwhile must have been true a moment ago, and what it can know it must
 * say. {@code -Dfaults.seed} tells a story again, as far as a machine can, and {@code
 * -Dfaults.seconds} makes it longer.
 */
class AgentFaultsIT {
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("faults.seconds", 120));
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  @TempDir Path folder;

  @Test
  void saysOnlyWhatIsTrue_andAllThatItCanKnow() throws IOException {
    try (var node = new Node(folder);
        var agent = new Agent(node, folder);
        var stalls = new Stalls()) {
      agent.start();
      await().until(agent::isReady);
      var witness = new Witness(node, stalls);
      var story = new Story(node, agent, new Random(SEED));
      var end = Instant.now().plus(LENGTH);
      while (Instant.now().isBefore(end)) {
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
      assertThat(witness.things())
          .contains("the driver is up", "the driver is down", "a GPU is up", "a GPU is down")
          .contains(
              "a pod holds a GPU",
              "a pod holds a part",
              "an observation",
              "work",
              "an XID",
              "no offer")
          .contains("the counters file is good", "the counters file is broken");
    }
  }
}
