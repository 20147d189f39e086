package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.vocabulary.CdiNames;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings of responses that differ from the usual ones in what is named, for tests. */
record Responses(
    Set<DeviceListStrategy> strategies,
    DeviceIdStrategy ids,
    boolean specs,
    String devRoot,
    Set<Feature> features,
    List<Integer> channels,
    boolean imexRequired,
    @Nullable Path mpsRoot,
    boolean budget) {

  static Responses of(String... strategies) {
    Set<DeviceListStrategy> chosen =
        Arrays.stream(DeviceListStrategy.values())
            .filter(each -> Stream.of(strategies).anyMatch(each.text()::equals))
            .collect(Collectors.toSet());
    return new Responses(
        chosen, DeviceIdStrategy.UUID, false, "/", Set.of(), List.of(), false, null, false);
  }

  Responses byIndex() {
    return new Responses(
        strategies,
        DeviceIdStrategy.INDEX,
        specs,
        devRoot,
        features,
        channels,
        imexRequired,
        mpsRoot,
        budget);
  }

  Responses deviceSpecs() {
    return new Responses(
        strategies, ids, true, devRoot, features, channels, imexRequired, mpsRoot, budget);
  }

  Responses below(String root) {
    return new Responses(
        strategies, ids, specs, root, features, channels, imexRequired, mpsRoot, budget);
  }

  Responses allFeatures() {
    return new Responses(
        strategies,
        ids,
        specs,
        devRoot,
        EnumSet.allOf(Feature.class),
        channels,
        imexRequired,
        mpsRoot,
        budget);
  }

  Responses imex(boolean required) {
    return new Responses(
        strategies, ids, specs, devRoot, features, List.of(0), required, mpsRoot, budget);
  }

  Responses mps() {
    return new Responses(
        strategies,
        ids,
        specs,
        devRoot,
        features,
        channels,
        imexRequired,
        Path.of("/run/nvidia/mps"),
        true);
  }

  ResponseSettings settings() {
    return new ResponseSettings(
        strategies,
        ids,
        specs,
        Path.of(devRoot),
        CdiNames.NVIDIA,
        "cdi.k8s.io/",
        features,
        channels,
        imexRequired,
        mpsRoot,
        budget);
  }
}
