package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import io.gpureclaimer.deviceplugin.runtime.RefreshingCache.CachedValue;
import io.gpureclaimer.doctor.Diagnosis;
import io.gpureclaimer.doctor.DriverAnswer;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.nvml.NvmlReturn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCheckTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Diagnosis WELL =
      new Diagnosis(List.of(new Diagnosis.CheckOutcome("GPUs", new Outcome.Ok("8 GPUs"))));

  private final ManualTime time = new ManualTime();
  private final ArrayDeque<Runnable> aside = new ArrayDeque<>();
  private @Nullable RuntimeException breaks;

  private final NodeCheck check =
      new NodeCheck(
          () -> {
            if (breaks != null) {
              throw breaks;
            }
            return WELL;
          },
          aside::add,
          time);

  @Test
  void noPodIsPending_andOneObservationIsEnough() {
    assertThat(check.last()).isEmpty();
    assertThat(check.last()).isEmpty();
    assertThat(aside).hasSize(1);

    aside.remove().run();

    assertThat(check.last()).isEqualTo(Optional.of(new CachedValue<>(WELL, NOON)));
    assertThat(aside).isEmpty();
  }

  @Test
  void theNodeIsCheckedWhereItsRootIsMounted(@TempDir Path mounted) throws IOException {
    Files.createDirectories(mounted.resolve("etc/containerd"));
    Files.writeString(mounted.resolve("etc/containerd/config.toml"), "version = 3\n");

    assertThat(runtime("/", mounted))
        .isEqualTo(new Outcome.Ok("containerd (/etc/containerd/config.toml): CDI is on"));
  }

  @Test
  void nothingIsSaidOfFilesThatAreNotSeen_whereTheMountIsNotTheNodesRoot(@TempDir Path mounted)
      throws IOException {
    Files.createDirectories(mounted.resolve("etc/containerd"));
    Files.writeString(mounted.resolve("etc/containerd/config.toml"), "version = 3\n");

    assumeThat(Path.of("/etc/containerd/config.toml")).doesNotExist();

    assertThat(runtime("/run/nvidia/driver", mounted)).isInstanceOf(Outcome.Undecided.class);
    assertThat(runtime("/", mounted.resolve("nothing"))).isInstanceOf(Outcome.Undecided.class);
  }

  /** What is found of the container runtime, on a node. */
  private Outcome runtime(String driverRoot, Path mounted) {
    var check =
        NodeCheck.of(
            new DriverSettings(Path.of(driverRoot), mounted, Path.of(driverRoot)),
            () -> new DriverAnswer.Silent(NvmlReturn.UNINITIALIZED, "released"),
            time);
    return await().until(check::last, Optional::isPresent).orElseThrow().value().checks().stream()
        .filter(it -> it.check().equals("container runtime"))
        .findFirst()
        .orElseThrow()
        .outcome();
  }

  @Test
  void oldResultsAreShown_whileTheNodeIsCheckedAgain() {
    check.last();
    aside.remove().run();
    time.advance(Duration.ofSeconds(31));

    assertThat(check.last()).isEqualTo(Optional.of(new CachedValue<>(WELL, NOON)));

    aside.remove().run();
    assertThat(check.last()).isEqualTo(Optional.of(new CachedValue<>(WELL, NOON.plusSeconds(31))));
  }

  @Test
  void aLookThatBreaksDown_isNotTheLastOne() {
    breaks = new IllegalStateException("an unknown driver");
    check.last();
    assertThatThrownBy(aside.remove()::run).isSameAs(breaks);
    breaks = null;

    assertThat(check.last()).isEmpty();
    aside.remove().run();
    assertThat(check.last()).isPresent();
  }
}
