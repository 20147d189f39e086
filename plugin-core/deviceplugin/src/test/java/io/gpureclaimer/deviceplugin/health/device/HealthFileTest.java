package io.gpureclaimer.deviceplugin.health.device;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Isolated("reads the log")
class HealthFileTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final GpuUuid GPU = new GpuUuid("GPU-00000000-1111-2222-3333-000000000000");
  private static final GpuState ILL =
      GpuState.recalled(
          List.of(
              new HealthIssue(
                  UnhealthyReason.XID,
                  48,
                  "XID 48: \"two\" bits\n\\ü",
                  AT,
                  RecoveryCondition.RESET,
                  false,
                  true,
                  7,
                  "MIG-1"),
              new HealthIssue(
                  UnhealthyReason.RECOVERY_ACTION,
                  null,
                  "…",
                  AT,
                  RecoveryCondition.ALL_CLEAR,
                  true,
                  true,
                  null,
                  null)),
          new GpuCounters(12_345_678_901L, null));

  @TempDir private Path folder;
  private Path path;
  private Path boot;
  private HealthFile file;

  @BeforeEach
  void name() throws IOException {
    path = folder.resolve("state/health.json");
    boot = folder.resolve("boot_id");
    Files.writeString(boot, "boot-1\n");
    file = new HealthFile(path, boot);
  }

  @Test
  void knowsAgainWhatItWrote() throws IOException {
    file.save(() -> Map.of(GPU, ILL, new GpuUuid("GPU-well"), GpuState.UNKNOWN));

    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
    assertThat(inTheFolder()).containsExactly("health.json");
  }

  @Test
  void knowsWhoWasAtWhichIndex_untilTheNodeBoots() throws IOException {
    var order =
        List.of(Optional.of(new GpuUuid("GPU-b")), Optional.<GpuUuid>empty(), Optional.of(GPU));
    assertThat(file.orderIs(order)).isTrue();
    assertThat(file.orderIs(order)).isFalse();
    file.save(Map::of);
    var next = new HealthFile(path, boot);
    next.load();
    assertThat(next.order()).isEqualTo(order);

    Files.writeString(boot, "boot-2\n");
    var afterBoot = new HealthFile(path, boot);
    afterBoot.load();
    assertThat(afterBoot.order()).isEmpty();
  }

  @Test
  void readsAFileOfAnEarlierVersion() throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(
        path,
        """
        {
          "version": 1,
          "bootId": "boot-1",
          "gpus": {
            "GPU-00000000-1111-2222-3333-000000000000": {
              "millijoules": 5,
              "doubleBitErrors": null,
              "ailments": [
                {"reason": "xid", "xid": 79, "text": "XID 79", "since": "2026-01-01T00:00:00.123Z", "cure": "reset", "resetSeen": false, "instance": null, "mig": null}
              ]
            }
          },
          "told": {
            "GPU-1": {"gpu": "GPU-1", "name": "GPU 0", "text": "the driver is down", "since": null}
          }
        }
        """);

    assertThat(file.load())
        .isEqualTo(
            Map.of(
                GPU,
                GpuState.recalled(
                    List.of(
                        HealthIssue.of(UnhealthyReason.XID, "XID 79", AT, RecoveryCondition.RESET)
                            .ofXid(79)
                            .afterSurvey()),
                    new GpuCounters(5L, null))));
  }

  @Test
  void writesWhatPeopleCanRead() throws IOException {
    file.save(
        () ->
            Map.of(
                GPU,
                GpuState.recalled(
                    List.of(
                        HealthIssue.of(UnhealthyReason.XID, "XID 79", AT, RecoveryCondition.RESET)
                            .ofXid(79)),
                    new GpuCounters(5L, 0L))));

    assertThat(Files.readString(path))
        .isEqualTo(
            """
            {
              "version" : 1,
              "bootId" : "boot-1",
              "order" : [ ],
              "gpus" : {
                "GPU-00000000-1111-2222-3333-000000000000" : {
                  "millijoules" : 5,
                  "doubleBitErrors" : 0,
                  "ailments" : [
                    {
                      "reason" : "xid",
                      "xid" : 79,
                      "text" : "XID 79",
                      "since" : "2026-01-01T00:00:00.123Z",
                      "cure" : "reset",
                      "resetSeen" : false
                    }
                  ]
                }
              }
            }
            """);
  }

  @Test
  void knowsNothing_whenThereIsNoFile() {
    assertThat(file.load()).isEmpty();
  }

  @Test
  void everyGpuHasBeenReset_whenTheNodeHasBooted() throws IOException {
    file.save(() -> Map.of(GPU, ILL));
    Files.writeString(boot, "boot-2\n");

    assertThat(file.load())
        .isEqualTo(
            Map.of(
                GPU,
                GpuState.recalled(
                    ILL.issues().stream().map(HealthIssue::afterReset).toList(),
                    GpuCounters.UNKNOWN)));
  }

  @Test
  void aBootThatReportsNoNameIsNoOther() throws IOException {
    Files.delete(boot);
    file.save(() -> Map.of(GPU, ILL));

    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "not ours at all: [",
        "{\"version\": 2, \"bootId\": \"b\", \"gpus\": {}}",
        "{\"version\": \"1\", \"bootId\": \"b\", \"gpus\": {}}",
        "{\"version\": 1, \"gpus\": {}}",
        "{\"version\": 1, \"bootId\": \"b\"}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"\": {\"ailments\": []}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {}, \"order\": [\" \"]}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {}, \"order\": [1]}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {}, \"order\": {}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [1]}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [{\"reason\":"
            + " \"flu\", \"text\": \"\", \"since\": \"2026-01-01T00:00:00Z\", \"cure\":"
            + " \"reset\"}]}}}",
        "{\"version\": 1, \"bootId\": \"b\", \"gpus\": {\"G\": {\"ailments\": [{\"reason\":"
            + " \"xid\", \"text\": \"\", \"since\": \"yesterday\", \"cure\": \"reset\"}]}}}"
      })
  void setsAsideWhatIsNotItsOwn_andBeginsAgain(String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);

    assertThat(file.load()).isEmpty();
    assertThat(path).doesNotExist();
    assertThat(Files.readString(path.resolveSibling("health.json.bad"))).isEqualTo(text);
    file.save(() -> Map.of(GPU, ILL));
    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @Test
  void setsAsideAFileThatIsFarTooLarge() throws IOException {
    Files.createDirectories(path.getParent());
    Files.write(path, new byte[(1 << 20) + 1]);

    assertThat(file.load()).isEmpty();
  }

  @Test
  void goesOn_whenTheFileCannotBeWritten() throws IOException {
    Files.writeString(folder.resolve("state"), "a file where the folder should be");

    file.save(() -> Map.of(GPU, ILL));

    assertThat(file.load()).isEmpty();
    Files.delete(folder.resolve("state"));
    file.save(() -> Map.of(GPU, ILL));
    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  @Test
  void leavesNothingBehind_whenTheFileCannotBePutInItsPlace() throws IOException {
    Files.createDirectories(path.resolve("not-empty"));

    file.save(Map::of);

    assertThat(inTheFolder()).containsExactly("health.json");
  }

  @Test
  void twoAgentsOfANodeWriteAtOnce_andNeitherIsInTheWayOfTheOther() throws Exception {
    var log = (Logger) LoggerFactory.getLogger(HealthFile.class);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    log.addAppender(logged);
    try (var agents = Executors.newFixedThreadPool(2)) {
      var other = new HealthFile(path, boot);
      var both =
          Stream.of(file, other).map(agent -> agents.submit(() -> saveOften(agent))).toList();
      for (var one : both) {
        one.get();
      }
    } finally {
      log.detachAppender(logged);
    }

    assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    assertThat(inTheFolder()).containsExactly("health.json");
    assertThat(file.load()).isEqualTo(Map.of(GPU, ILL));
  }

  private static void saveOften(HealthFile agent) {
    for (int i = 0; i < 500; i++) {
      agent.save(() -> Map.of(GPU, ILL));
    }
  }

  private List<String> inTheFolder() throws IOException {
    try (Stream<Path> files = Files.list(path.getParent())) {
      return files.map(it -> it.getFileName().toString()).toList();
    }
  }

  @Property
  void everyTextIsReadAsItWasWritten(@ForAll String text) {
    var gpu =
        GpuState.recalled(
            List.of(
                HealthIssue.of(UnhealthyReason.UNREADABLE, text, AT, RecoveryCondition.ANSWERS)
                    .afterSurvey()),
            GpuCounters.UNKNOWN);
    var saved =
        new HealthJson.Saved(text, List.of(Optional.of(GPU), Optional.empty()), Map.of(GPU, gpu));

    assertThat(HealthJson.read("health.json", HealthJson.write(saved))).isEqualTo(saved);
  }
}
