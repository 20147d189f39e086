package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Refused;
import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import io.gpureclaimer.nvml.poll.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rewrite the file with {@code ./mvnw test -Dgolden.update=true}, then read the diff. */
class ResponseGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/responses.txt");
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final ResourceName MIG = new ResourceName("nvidia.com/mig-1g.5gb");
  private static final ResourceName SHARED = new ResourceName("nvidia.com/gpu.shared");
  private static final AdvertisedResources WHOLE =
      AdvertisedResources.of(
          new NodeBuilder().whole().whole().divided("1g.5gb").inventory(),
          new ResourceSettings(MigStrategy.MIXED, List.of(), List.of(), Sharing.NONE),
          _ -> true,
          AdvertisedResources.NOTHING);

  @Test
  void everyModeHasItsResponse() throws IOException {
    String text = text();

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, text);
    }
    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  private static String text() {
    var modes = new LinkedHashMap<String, Responses>();
    modes.put("envvar", Responses.of("envvar"));
    modes.put("envvar by index", Responses.of("envvar").byIndex());
    modes.put("volume-mounts", Responses.of("volume-mounts"));
    modes.put("volume-mounts by index", Responses.of("volume-mounts").byIndex());
    modes.put("cdi-annotations", Responses.of("cdi-annotations"));
    modes.put("cdi-cri", Responses.of("cdi-cri"));
    modes.put("cdi-cri by index", Responses.of("cdi-cri").byIndex());
    modes.put("cdi-cri with device specs", Responses.of("cdi-cri").deviceSpecs());
    modes.put("cdi-annotations and cdi-cri", Responses.of("cdi-annotations", "cdi-cri"));
    modes.put("envvar and volume-mounts", Responses.of("envvar", "volume-mounts"));
    modes.put("envvar and cdi-cri", Responses.of("envvar", "cdi-cri").deviceSpecs());
    modes.put(
        "all strategies, features and IMEX",
        Responses.of("envvar", "volume-mounts", "cdi-annotations", "cdi-cri")
            .allFeatures()
            .imex(true)
            .deviceSpecs());
    modes.put("envvar with device specs", Responses.of("envvar").deviceSpecs());
    modes.put(
        "envvar below a root", Responses.of("envvar").deviceSpecs().below("/run/nvidia/driver"));
    modes.put("envvar with features and IMEX", Responses.of("envvar").allFeatures().imex(false));
    modes.put("cdi-cri with features and IMEX", Responses.of("cdi-cri").allFeatures().imex(false));

    var text = new StringBuilder();
    modes.forEach((title, mode) -> text.append(section(title, mode)));
    modes.forEach((title, mode) -> text.append(mig(title, mode)));
    text.append(mps("envvar", Responses.of("envvar").mps()));
    text.append(mps("cdi-cri", Responses.of("cdi-cri").mps()));
    return text.toString();
  }

  private static String section(String title, Responses mode) {
    List<String> ids = List.of(NodeBuilder.gpu(1).value(), NodeBuilder.gpu(0).value());
    return written(title, WHOLE.resource(GPU), mode, ids);
  }

  private static String mig(String title, Responses mode) {
    return written(title + ", MIG", WHOLE.resource(MIG), mode, List.of(NodeBuilder.mig(2, 1)));
  }

  private static String mps(String title, Responses mode) {
    var sharing =
        new Sharing(
            Sharing.SharingKind.MPS,
            false,
            List.of(new SharedResource(GPU, SHARED, new DeviceChoice.All(), 4)));
    AdvertisedResources offer =
        AdvertisedResources.of(
            new NodeBuilder().whole().whole().inventory(),
            new ResourceSettings(MigStrategy.NONE, List.of(), List.of(), sharing),
            _ -> true,
            AdvertisedResources.NOTHING);
    List<String> ids =
        List.of(NodeBuilder.gpu(1) + "::0", NodeBuilder.gpu(0) + "::1", NodeBuilder.gpu(1) + "::2");
    return written(title + ", MPS", offer.resource(SHARED), mode, ids);
  }

  private static String written(
      String title, AdvertisedResource resource, Responses mode, List<String> ids) {
    var allocator =
        new ResourceAllocator(
            resource,
            Topology.UNKNOWN,
            new AllocationRules(mode.settings(), SharePolicy.DISTRIBUTED, false),
            new NodeEnvironment(
                path -> !path.endsWith("nvidia-modeset"),
                cdiDevices(resource),
                _ -> Optional.empty(),
                Set.of(),
                Set.of()));
    var lines = new ArrayList<String>(List.of("## " + title));
    switch (allocator.allocate(ids)) {
      case Granted granted -> lines(granted, lines);
      case Refused(String reason) -> lines.add("refused: " + reason);
    }
    return String.join("\n", lines) + "\n\n";
  }

  private static Set<String> cdiDevices(AdvertisedResource resource) {
    return Stream.concat(
            Stream.of(CdiNames.NVIDIA.imexChannel(0), CdiNames.NVIDIA.all("gds")),
            resource.portions().stream()
                .map(portion -> CdiNames.NVIDIA.device(portion.device().uuid())))
        .collect(Collectors.toSet());
  }

  private static void lines(Granted granted, List<String> lines) {
    sorted(granted.env()).forEach((key, value) -> lines.add("env " + key + "=" + value));
    granted.mounts().forEach(mount -> lines.add(mount.toString()));
    granted.devices().forEach(device -> lines.add(device.toString()));
    sorted(granted.annotations())
        .forEach((key, value) -> lines.add("annotation " + key + "=" + value));
    granted.cdiDevices().forEach(name -> lines.add("cdi " + name));
  }

  private static Map<String, String> sorted(Map<String, String> map) {
    return new TreeMap<>(map);
  }
}
