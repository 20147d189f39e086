package io.gpureclaimer.deviceplugin.allocation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The part of a response that names devices as the Container Device Interface does. */
final class CdiResponse {
  private static final String PLUGIN = "nvidia-device-plugin_";

  private final ResourceName name;
  private final ResponseSettings settings;
  private final NodeEnvironment there;

  CdiResponse(ResourceName name, ResponseSettings settings, NodeEnvironment there) {
    this.name = name;
    this.settings = settings;
    this.there = there;
  }

  Map<String, String> annotations(List<AllocatedDevice> held, List<Integer> channels) {
    List<String> names = names(held, channels);
    return settings.strategies().contains(DeviceListStrategy.CDI_ANNOTATIONS)
        ? Map.of(key(names), String.join(",", names))
        : Map.of();
  }

  List<String> devices(List<AllocatedDevice> held, List<Integer> channels) {
    return settings.strategies().contains(DeviceListStrategy.CDI_CRI)
        ? names(held, channels)
        : List.of();
  }

  private List<String> names(List<AllocatedDevice> held, List<Integer> channels) {
    var names = new ArrayList<String>();
    held.forEach(each -> names.add(settings.cdi().device(each.device().uuid())));
    channels.stream()
        .map(settings.cdi()::imexChannel)
        .filter(there.cdiDevices()::contains)
        .forEach(names::add);
    settings.features().stream()
        .map(Feature::cdiClass)
        .sorted(Comparator.naturalOrder())
        .map(settings.cdi()::all)
        .filter(there.cdiDevices()::contains)
        .forEach(names::add);
    return names;
  }

  /** A container that has several resources needs a key for each, and the same again next time. */
  private String key(List<String> names) {
    String what = name + "=" + String.join(",", names);
    return settings.annotationPrefix()
        + PLUGIN
        + UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8));
  }
}
