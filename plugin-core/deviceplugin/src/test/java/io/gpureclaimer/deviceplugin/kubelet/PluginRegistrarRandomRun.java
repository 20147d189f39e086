package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.MIG;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Accepted;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Rejected;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;

/** A few hundred things that happen by chance, but the same for the same seed; then quiet. */
final class PluginRegistrarRandomRun {
  private final Random chance;
  private final FakeRegistrarEnvironment node = new FakeRegistrarEnvironment();
  private final PluginRegistrar conductor;
  private SocketState place = PluginRegistrarTest.kubelet(0);
  private int answered;

  PluginRegistrarRandomRun(int seed) {
    chance = new Random(seed);
    conductor =
        new PluginRegistrar(
            node,
            () -> place,
            then -> then.accept(new Allocatable.Unsupported()),
            KubeletTimeouts.USUAL,
            chance,
            () -> Instant.EPOCH.plus(node.elapsed()),
            node::nanoTime);
  }

  void report() {
    conductor.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    for (int round = 0; round < 200; round++) {
      somethingHappens();
      node.pass(conductor.turn());
    }
    int before = node.attempts.size();
    place = PluginRegistrarTest.kubelet(1_000);
    Duration quiet = node.elapsed();
    while (!conductor.state().watched() && node.elapsed().minus(quiet).toSeconds() < 60) {
      node.pass(conductor.turn());
      behave();
    }

    assertThat(conductor.state().watched()).isTrue();
    assertThat(conductor.state().resources()).hasSize(2);
    assertThat(node.attempts.size() - before).isLessThanOrEqualTo(4);
    assertThat(node.endpoints.stream().filter(endpoint -> !endpoint.gone)).hasSize(2);
  }

  private void somethingHappens() {
    switch (chance.nextInt(9)) {
      case 0 -> place = PluginRegistrarTest.kubelet(chance.nextInt(1_000));
      case 1 -> place = new Absent("kubelet.sock is not there");
      case 2 -> node.endpoints.forEach(endpoint -> endpoint.inPlace = chance.nextBoolean());
      case 3 -> node.endpoints.forEach(FakeRegistrarEnvironment.FakeEndpoint::hangUp);
      case 4 -> answer(new Rejected(RegistrationOutcome.REFUSED, "no"));
      case 5 -> answer(new Accepted());
      case 6 -> node.endpoints.forEach(endpoint -> endpoint.goesWhenDrained = chance.nextBoolean());
      case 7 -> node.impossible = chance.nextBoolean() ? "disk full" : null;
      default -> behave();
    }
  }

  /** Answers all open calls, and watches every registered endpoint. */
  private void behave() {
    node.impossible = null;
    answer(new Accepted());
    node.endpoints.stream()
        .filter(
            endpoint -> !endpoint.gone && endpoint.reported.isEmpty() && endpoint.streams() == 0)
        .forEach(
            endpoint -> {
              endpoint.inPlace = true;
              endpoint.watch();
            });
  }

  private void answer(RegisterAnswer answer) {
    while (answered < node.registrations()) {
      node.answer(answered++, answer);
    }
  }
}
