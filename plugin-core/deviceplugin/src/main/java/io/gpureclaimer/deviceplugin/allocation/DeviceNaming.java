package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.MigFacts;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Assigns resource names to the devices of a GPU. */
final class DeviceNaming {
  static final ResourceName GPU = new ResourceName(ResourceNames.GPU);

  private final ResourceSettings settings;
  private final Consumer<String> problems;

  DeviceNaming(ResourceSettings settings, Consumer<String> problems) {
    this.settings = settings;
    this.problems = problems;
  }

  List<NamedDevice> of(GpuFacts facts) {
    if (!facts.migOn()) {
      return List.of(named(settings.gpuNames(), facts.gpu().modelName(), GPU, Device.whole(facts)));
    }
    if (settings.mig() == MigStrategy.NONE) {
      problems.accept(
          gpu(facts)
              + " has MIG on and is not offered: set the MIG strategy to single or mixed, was none,"
              + " or turn MIG off");
      return List.of();
    }
    facts
        .refused()
        .forEach(
            refused ->
                problems.accept(
                    gpu(facts)
                        + ": the driver refuses a MIG device: "
                        + refused.reason()
                        + (refused.lastKnown() == null
                            ? "; it is not offered"
                            : "; it is offered as unhealthy")));
    if (facts.instances().isEmpty() && facts.refused().isEmpty()) {
      problems.accept(
          gpu(facts)
              + " has MIG on and no MIG device, so that nothing of it is offered: create some, or"
              + " turn MIG off");
    }
    return facts.placedInstances().stream()
        .flatMap(placed -> part(facts, placed).stream())
        .toList();
  }

  private Optional<NamedDevice> part(GpuFacts facts, GpuFacts.PlacedInstance placed) {
    MigFacts mig = placed.facts();
    Device device = Device.part(facts, placed);
    Optional<ResourceName> usual =
        settings.mig() == MigStrategy.SINGLE ? Optional.of(GPU) : ofProfile(mig);
    Optional<NamedDevice> named =
        matching(settings.migNames(), mig.profile())
            .map(name -> new NamedDevice(name, false, device, placed.readable()))
            .or(() -> usual.map(name -> new NamedDevice(name, true, device, placed.readable())));
    if (named.isEmpty()) {
      problems.accept(
          gpu(facts)
              + ": the MIG device "
              + mig.uuid()
              + " of profile "
              + mig.profile()
              + " is not offered, since it is only a part of its GPU instance: name "
              + "such profiles in"
              + " resources.mig, or create compute instances of the full size");
    }
    return named;
  }

  private static Optional<ResourceName> ofProfile(MigFacts mig) {
    return Stream.of(ResourceNames.PREFIX + "mig-" + mig.profile().replace('+', '.'))
        .filter(name -> mig.isWholeInstance() && ResourceName.isValid(name))
        .map(ResourceName::new)
        .findFirst();
  }

  private static NamedDevice named(
      List<NamePattern> patterns, String text, ResourceName usual, Device device) {
    Optional<ResourceName> given = matching(patterns, text);
    return new NamedDevice(given.orElse(usual), given.isEmpty(), device, true);
  }

  private static Optional<ResourceName> matching(List<NamePattern> patterns, String text) {
    return patterns.stream()
        .filter(pattern -> pattern.matches(text))
        .map(NamePattern::name)
        .findFirst();
  }

  private static String gpu(GpuFacts facts) {
    return "GPU " + facts.gpu().index() + " (" + facts.gpu().uuid() + ")";
  }
}
