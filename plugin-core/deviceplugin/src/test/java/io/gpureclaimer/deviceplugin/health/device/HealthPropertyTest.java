package io.gpureclaimer.deviceplugin.health.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever happens to three GPUs of two instances each, in whatever order. */
class HealthPropertyTest {
  private static final int GPUS = 3;
  private static final int STEPS = 80;
  private static final int[] XIDS = {13, 31, 48, 63, 74, 79, 94, 95, 119, 999};
  private static final Set<Integer> HARMLESS = Set.of(13, 31, 63, 94);
  private static final Set<Integer> TO_RESET = Set.of(48, 79, 95, 119);

  /** What an observer of one GPU remembers, who knows the rules from the documentation alone. */
  private static final class HealthModel {
    Instant lastBad = Instant.MIN;
    boolean needsReset;
    boolean resetSince;

    /** It is unknown whether an XID before the next survey came after the reset. */
    boolean resetUnseen;

    void bad(Instant at) {
      lastBad = at;
    }
  }

  @Property(tries = 100)
  void whatHappensToOneGpuTouchesNoOther(@ForAll long seed) throws IOException {
    Path folder = Files.createTempDirectory("health");
    HealthScenario scene = divided(folder);
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      int gpu = random.nextInt(GPUS);
      List<Boolean> others = othersThan(gpu, scene);
      event(scene, random, gpu);

      assertThat(othersThan(gpu, scene)).as("step %d, GPU %d", step, gpu).isEqualTo(others);
    }
    delete(folder);
  }

  @Property(tries = 100)
  void nothingBecomesHealthyWithoutEvidence(@ForAll long seed) throws IOException {
    Path folder = Files.createTempDirectory("health");
    HealthScenario scene = divided(folder);
    Random random = new Random(seed);
    List<HealthModel> witnesses = Stream.generate(HealthModel::new).limit(GPUS).toList();
    for (int step = 0; step < STEPS; step++) {
      int gpu = random.nextInt(GPUS);
      Set<Entity> healthy = healthy(scene);
      boolean survey = random.nextInt(3) > 0;
      boolean looked = survey;
      if (survey) {
        scene.pass(Duration.ofSeconds(10L * (1 + random.nextInt(12))));
      } else {
        looked = happen(scene, random, gpu, witnesses.get(gpu));
      }
      for (int one = 0; one < GPUS; one++) {
        HealthModel witness = witnesses.get(one);
        HealthScenario.ScenarioGpu card = scene.cards.get(one);
        boolean good = card.readable && card.present && card.action != RecoveryAction.GPU_RESET;
        // A fault that begins and ends between two surveys is not seen.
        if (!good && looked) {
          witness.bad(scene.clock.get());
        }
        witness.resetUnseen &= !survey || !card.readable;
        for (Entity device : all(one)) {
          boolean became = scene.health.isHealthy(device) && !healthy.contains(device);
          if (became && wasEverBad(witness)) {
            assertThat(looked).as("only a survey heals").isTrue();
            assertThat(good).as("the GPU answers, and no action is wanted").isTrue();
          }
          if (scene.health.isHealthy(device) && wasEverBad(witness) && witness.needsReset) {
            assertThat(witness.resetSince).as("step %d: a reset was seen", step).isTrue();
          }
          if (became && wasEverBad(witness)) {
            assertThat(Duration.between(witness.lastBad, scene.clock.get()))
                .as("step %d: nothing was wrong for the quiet time", step)
                .isGreaterThanOrEqualTo(HealthScenario.QUIET);
          }
        }
      }
    }
    delete(folder);
  }

  /** A state between two surveys, at the moment of the second. */
  @Example
  void unseenFaultsKeepNothingUnhealthy() throws IOException {
    nothingBecomesHealthyWithoutEvidence(-18830022013816L);
  }

  private static boolean wasEverBad(HealthModel witness) {
    return !witness.lastBad.equals(Instant.MIN);
  }

  /**
   * One thing happens to that GPU; the witness takes it down.
   *
   * @return whether all GPUs were polled just before
   */
  private static boolean happen(HealthScenario scene, Random random, int gpu, HealthModel witness) {
    HealthScenario.ScenarioGpu card = scene.cards.get(gpu);
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        int xid = witness.resetUnseen ? 74 : XIDS[random.nextInt(XIDS.length)];
        scene.xid(gpu, xid);
        if (!HARMLESS.contains(xid)) {
          witness.bad(scene.clock.get());
        }
        if (TO_RESET.contains(xid)) {
          witness.needsReset = true;
          witness.resetSince = false;
        }
      }
      case 2 -> {
        scene.doubleBitError(gpu);
        witness.bad(scene.clock.get());
      }
      case 3 -> card.readable = false;
      case 4 -> card.readable = true;
      case 5 -> card.action = RecoveryAction.GPU_RESET;
      case 6 -> card.action = random.nextBoolean() ? RecoveryAction.NONE : null;
      default -> {
        scene.survey();
        scene.reset(gpu);
        witness.resetSince = true;
        witness.resetUnseen = true;
        return true;
      }
    }
    return false;
  }

  private static void event(HealthScenario scene, Random random, int gpu) {
    int xid = XIDS[random.nextInt(XIDS.length)];
    switch (random.nextInt(5)) {
      case 0 -> scene.xid(gpu, xid);
      case 1 -> scene.xid(gpu, xid, 7 + random.nextInt(3));
      case 2 -> scene.doubleBitError(gpu);
      case 3 -> scene.health.ends(HealthScenario.uuid(gpu));
      default -> scene.health.begins(HealthScenario.uuid(gpu));
    }
  }

  private static HealthScenario divided(Path folder) {
    HealthScenario scene = new HealthScenario(folder, GPUS);
    for (int gpu = 0; gpu < GPUS; gpu++) {
      scene.cards.get(gpu).instances.put(7, "MIG-" + gpu + "-7");
      scene.cards.get(gpu).instances.put(8, "MIG-" + gpu + "-8");
    }
    scene.survey();
    return scene;
  }

  private static List<Entity> all(int gpu) {
    return List.of(
        HealthScenario.whole(gpu), HealthScenario.part(gpu, 7), HealthScenario.part(gpu, 8));
  }

  private static List<Boolean> othersThan(int gpu, HealthScenario scene) {
    List<Boolean> others = new ArrayList<>();
    for (int one = 0; one < GPUS; one++) {
      if (one != gpu) {
        all(one).forEach(device -> others.add(scene.health.isHealthy(device)));
      }
    }
    return others;
  }

  private static Set<Entity> healthy(HealthScenario scene) {
    Set<Entity> healthy = new HashSet<>();
    for (int gpu = 0; gpu < GPUS; gpu++) {
      all(gpu).stream().filter(scene.health::isHealthy).forEach(healthy::add);
    }
    return healthy;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
