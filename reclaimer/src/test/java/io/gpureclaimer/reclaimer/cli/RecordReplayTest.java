package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.Auditors;
import io.gpureclaimer.reclaimer.audit.RecordSink;
import io.gpureclaimer.reclaimer.show.Reports;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What {@code explain --record} says of what an auditor wrote. */
@Isolated("replaces System.out")
class RecordReplayTest {
  @TempDir Path folder;

  private Path file = Path.of("records");

  @BeforeEach
  void record() {
    file = folder.resolve("audit.jsonl");
    Auditors.of(new CollectorRegistry(), RecordSink.file(file), Clock.systemUTC())
        .planned(Reports.full());
  }

  @Test
  void saysOfEachThatItIsTheSame() {
    Console console = Console.of("explain", "--record", file.toString());

    assertThat(console.err()).isEmpty();
    assertThat(console.exitCode()).isZero();
    assertThat(console.out())
        .contains(
            "line 4: Pod ml/due at 2026-03-02T12:00:00Z: the same: due (always): idle for 1h 2m,"
                + " warned at 2026-03-02T11:40:00Z; may be reclaimed\n")
        .endsWith("\n15 of 15 the same\n");
  }

  @Test
  void saysWhatIsOtherwise() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.replaceAll(line -> line.replace("\"mode\":\"report\"", "\"mode\":\"off\""));
    lines.replaceAll(
        line -> line.replace("\"gpu-reclaimer.io/mode\":\"always\",", "").replace("2h3m", "1s"));
    Files.write(file, lines);

    Console console = Console.of("explain", "--record", file.toString());

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out())
        .contains(
            "line 4: Pod ml/due at 2026-03-02T12:00:00Z: recorded due (always): idle for 1h 2m,"
                + " warned at 2026-03-02T11:40:00Z; may be reclaimed; judged again to-withdraw"
                + " (policy-changed): the warning no longer holds: the policy has changed since\n");
  }

  @Test
  void skipsWhatIsNoRecord_andSaysWhatCannotBeRead() throws IOException {
    Files.writeString(file, "2026-03-02 INFO Service - stops\n\n{\"schema\":1,\"workload\":3}\n");

    Console console = Console.of("explain", "--record", file.toString());

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.out())
        .isEqualTo(
            "line 3: cannot be read: workload: Unexpected token VALUE_NUMBER_INT, expected"
                + " START_OBJECT\n0 of 1 the same\n");
  }

  @Test
  void refuses_whatHoldsNoRecord() throws IOException {
    Files.writeString(file, "hello\n");

    assertThat(Console.of("explain", "--record", file.toString()))
        .isEqualTo(
            new Console(
                2, "", "gpu-reclaimer: --record must hold a record, " + file + " holds none\n"));
    assertThat(Console.of("explain", "--record", folder.resolve("no").toString()).exitCode())
        .isEqualTo(2);
    assertThat(Console.of("explain", "a/b", "--record", file.toString()).exitCode()).isEqualTo(2);
  }
}
