package io.gpureclaimer.verification.scenario.claims;

import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.MigDevice;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.ScriptFile;
import io.gpureclaimer.simulator.SimulatedDriver;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the agent's simulated driver has on a node, as another one says that plays the same script.
 *
 * @param gpus their UUIDs, by index
 * @param instances the UUIDs of those of the last GPU, which is divided
 */
record SimulatedClaimNode(List<String> gpus, List<String> instances) {
  static final String SCRIPT = Manifest.beside(SimulatedClaimNode.class, "script.yaml").text();

  private static final Profile PROFILE = Profile.named("h100x8").orElseThrow();

  SimulatedClaimNode {
    gpus = List.copyOf(gpus);
    instances = List.copyOf(instances);
  }

  static SimulatedClaimNode named(String node) {
    try {
      Path script = Files.writeString(Files.createTempFile("script", ".yaml"), SCRIPT);
      var played = new ScriptFile(script, PROFILE.gpus());
      Nvml nvml = Nvml.open(new SimulatedDriver(PROFILE, node, played, InstantSource.system()));
      try {
        return ask(nvml);
      } finally {
        nvml.close();
        Files.delete(script);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SimulatedClaimNode ask(Nvml nvml) {
    List<GpuHandle> handles =
        IntStream.range(0, PROFILE.gpus()).mapToObj(index -> value(nvml.handle(index))).toList();
    return new SimulatedClaimNode(
        handles.stream().map(gpu -> value(nvml.uuid(gpu)).value()).toList(),
        value(nvml.mig().devices(handles.getLast())).stream().map(MigDevice::uuid).toList());
  }

  private static <T> T value(NvmlResult<T> answer) {
    if (answer instanceof Value<T>(var value)) {
      return value;
    }
    throw new IllegalStateException("expected an answer, got " + answer);
  }

  /** The same text with these UUIDs in the places that have their names. */
  Manifest in(Manifest slices) {
    Manifest filled = slices;
    for (int index = 0; index < gpus.size(); index++) {
      filled = replaced(filled, "gpu-" + index, gpus.get(index));
    }
    for (int index = 0; index < instances.size(); index++) {
      filled = replaced(filled, "instance-" + index, instances.get(index));
    }
    return filled;
  }

  private static Manifest replaced(Manifest manifest, String place, String uuid) {
    return manifest.text().contains("${" + place + "}") ? manifest.with(place, uuid) : manifest;
  }
}
