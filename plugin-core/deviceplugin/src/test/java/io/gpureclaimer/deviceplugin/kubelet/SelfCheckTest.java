package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.MIG;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.Allocatable.Failed;
import io.gpureclaimer.deviceplugin.kubelet.Allocatable.Known;
import io.gpureclaimer.deviceplugin.kubelet.PluginRegistrar.SelfCheck;
import io.gpureclaimer.deviceplugin.kubelet.PluginRegistrar.SelfCheck.Comparison;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelfCheckTest {
  private static final Map<ResourceName, Set<String>> SENT =
      Map.of(GPU, Set.of("a", "b"), MIG, Set.of());
  private static final Known RIGHT = new Known(Map.of(GPU.value(), Set.of("a", "b")));
  private static final Known WRONG = new Known(Map.of(GPU.value(), Set.of("a")));

  @Test
  void agrees_whenAResourceWithoutDevicesIsNotNamed() {
    assertThat(SelfCheck.FRESH.compare(SENT, RIGHT))
        .isEqualTo(new Comparison(SelfCheck.FRESH, Set.of()));
  }

  @Test
  void theThirdDifferenceInARowIsOneTooMany_andCountingBeginsAgain() {
    Comparison second = after(WRONG, WRONG);
    assertThat(second).isEqualTo(new Comparison(new SelfCheck(Map.of(GPU, 2)), Set.of()));
    Comparison third = second.next().compare(SENT, WRONG);
    assertThat(third).isEqualTo(new Comparison(SelfCheck.FRESH, Set.of(GPU)));
    assertThat(third.next().compare(SENT, WRONG))
        .isEqualTo(new Comparison(new SelfCheck(Map.of(GPU, 1)), Set.of()));
  }

  @Test
  void oneThatAgreesInBetween_isForgiven() {
    assertThat(after(WRONG, WRONG, RIGHT)).isEqualTo(new Comparison(SelfCheck.FRESH, Set.of()));
  }

  @Test
  void silenceNeitherAccusesNorForgives() {
    Comparison silent = after(WRONG, WRONG).next().compare(SENT, new Failed("hangs"));

    assertThat(silent).isEqualTo(new Comparison(new SelfCheck(Map.of(GPU, 2)), Set.of()));
    assertThat(SelfCheck.FRESH.compare(SENT, new Allocatable.Unsupported()))
        .isEqualTo(new Comparison(SelfCheck.FRESH, Set.of()));
  }

  @Test
  void whatIsNotWatchedIsNotCompared() {
    assertThat(after(WRONG, WRONG).next().compare(Map.of(), WRONG))
        .isEqualTo(new Comparison(SelfCheck.FRESH, Set.of()));
  }

  private static Comparison after(Allocatable... answers) {
    var look = new Comparison(SelfCheck.FRESH, Set.of());
    for (Allocatable answer : answers) {
      look = look.next().compare(SENT, answer);
    }
    return look;
  }
}
