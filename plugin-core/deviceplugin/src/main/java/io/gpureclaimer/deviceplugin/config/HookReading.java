package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import io.gpureclaimer.deviceplugin.cdi.HookName;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is said of NVIDIA's hook program. Confined to one merge. */
final class HookReading {
  private static final String ALL = "all";

  /** A hook of NVIDIA's that is never run here, so that switching it off is done already. */
  private static final String NEVER_RUN = "chmod";

  private final FlagTypes flags;

  HookReading(FlagTypes flags) {
    this.flags = flags;
  }

  /** Of a hook that is both enabled and disabled, the latter holds. */
  CdiSettings.Hooks hooks() {
    Set<HookName> disabled = EnumSet.copyOf(HookName.OFF_UNLESS_ASKED_FOR);
    disabled.removeAll(named(Flag.CDI_ENABLE_HOOKS, List.of()));
    disabled.addAll(named(Flag.CDI_DISABLE_HOOKS, List.of(NEVER_RUN)));
    return new CdiSettings.Hooks(
        flags.path(Flag.CDI_HOOK).map(Path::toString).orElse(null), disabled);
  }

  private Set<HookName> named(Flag flag, List<String> passedOver) {
    var names = EnumSet.noneOf(HookName.class);
    for (String text : flags.texts(flag)) {
      Optional<HookName> name = HookName.of(text);
      if (text.equals(ALL)) {
        names.addAll(EnumSet.allOf(HookName.class));
      } else if (name.isEmpty() && !passedOver.contains(text)) {
        flags.mustBe(flag, "one or several of " + known() + ", separated by commas");
      }
      name.ifPresent(names::add);
    }
    return names;
  }

  private static String known() {
    return ALL
        + ", "
        + Arrays.stream(HookName.values())
            .map(HookName::toString)
            .collect(Collectors.joining(", "));
  }
}
