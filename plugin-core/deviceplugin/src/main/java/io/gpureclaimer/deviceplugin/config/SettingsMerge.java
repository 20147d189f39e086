package io.gpureclaimer.deviceplugin.config;

import static io.gpureclaimer.deviceplugin.allocation.Sharing.SharingKind.MPS;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.allocation.AllocationRules;
import io.gpureclaimer.deviceplugin.allocation.DeviceIdStrategy;
import io.gpureclaimer.deviceplugin.allocation.DeviceListStrategy;
import io.gpureclaimer.deviceplugin.allocation.Feature;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.allocation.ResponseSettings;
import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import io.gpureclaimer.deviceplugin.cdi.HookName;
import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings.LabelSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Merges flags, environment and config file into settings. Confined to one merge. */
final class SettingsMerge {
  private static final List<String> DISCOVERIES = List.of("auto", "nvml");
  private static final Pattern VENDOR = Pattern.compile("[A-Za-z][-_.A-Za-z0-9]*[A-Za-z0-9]");

  /** As Kubernetes has it: parts of letters, digits and dashes, with dots in between. */
  private static final Pattern ANNOTATION_PREFIX =
      Pattern.compile(
          "(?=.{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/");

  private static final String ONLY_CHANNEL = "0";
  private static final String NEVER = "infinite";
  private static final String ALL_HOOKS = "all";

  /** A hook of NVIDIA's that is never run here, so that it is disabled already. */
  private static final String NEVER_RUN = "chmod";

  private final ConfigFile file;
  private final FlagReader flags;

  SettingsMerge(Map<String, String> options, Map<String, String> environment, ConfigFile file) {
    this.file = file;
    this.flags = new FlagReader(options, environment, file);
  }

  MergedSettings merged() {
    PluginSettings settings = settings();
    List<String> idle = flagsWithoutEffect();
    if (!DISCOVERIES.contains(flags.value(PluginFlag.DISCOVERY).text())) {
      flags.mustBe(PluginFlag.DISCOVERY, "auto or nvml, the only ways that are known here");
    }
    var problems = new ArrayList<>(file.problems());
    problems.addAll(flags.unknownOptions());
    problems.addAll(flags.problems());
    return problems.isEmpty()
        ? new MergedSettings.Merged(settings, notes(settings, idle))
        : new MergedSettings.Refused(problems);
  }

  private List<String> notes(PluginSettings settings, List<String> idle) {
    var notes = new ArrayList<>(file.notes());
    notes.addAll(idle);
    ResponseSettings response = settings.allocation().response();
    boolean onlyCdi = response.strategies().stream().allMatch(DeviceListStrategy::isCdi);
    if (response.passDeviceSpecs() && onlyCdi) {
      notes.add(
          flags.value(PluginFlag.PASS_DEVICE_SPECS).source()
              + " has no effect, since CDI alone brings the device files");
    }
    return notes;
  }

  private PluginSettings settings() {
    return new PluginSettings(
        new ResourceSettings(
            flags.choice(PluginFlag.MIG_STRATEGY, MigStrategy.values(), MigStrategy::text),
            file.gpuNames(),
            file.migNames(),
            file.sharing()),
        new AllocationRules(
            response(),
            flags.choice(PluginFlag.SHARE_POLICY, SharePolicy.values(), SharePolicy::text),
            file.sharing().oneShareAtMost()),
        new DriverSettings(
            flags.requiredPath(PluginFlag.DRIVER_ROOT),
            flags.requiredPath(PluginFlag.CONTAINER_DRIVER_ROOT),
            devRoot()),
        hooks(),
        flags.requiredPath(PluginFlag.KUBELET_SOCKET),
        new LabelSettings(
            !flags.bool(PluginFlag.NO_TIMESTAMP),
            flags.path(PluginFlag.OUTPUT_FILE).orElse(null),
            flags.requiredPath(PluginFlag.MACHINE_TYPE_FILE)));
  }

  private ResponseSettings response() {
    return new ResponseSettings(
        flags.choices(
            PluginFlag.DEVICE_LIST, DeviceListStrategy.values(), DeviceListStrategy::text),
        flags.choice(PluginFlag.DEVICE_ID, DeviceIdStrategy.values(), DeviceIdStrategy::text),
        flags.bool(PluginFlag.PASS_DEVICE_SPECS),
        devRoot(),
        new CdiNames(matching(PluginFlag.CDI_VENDOR, VENDOR, "letters, digits, '-', '_' and '.'")),
        matching(PluginFlag.CDI_ANNOTATION_PREFIX, ANNOTATION_PREFIX, "a domain and a slash"),
        features(),
        channels(),
        flags.bool(PluginFlag.IMEX_REQUIRED),
        mpsRoot(),
        flags.bool(PluginFlag.SHARE_BUDGET));
  }

  private Path devRoot() {
    return flags
        .path(PluginFlag.DEV_ROOT)
        .orElseGet(() -> flags.path(PluginFlag.DRIVER_ROOT).orElse(Path.of("/")));
  }

  private String matching(PluginFlag flag, Pattern form, String rule) {
    return flags.read(flag, value -> value.matching(form, "must be " + rule), flag.defaultValue());
  }

  private Set<Feature> features() {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    Map.of(
            PluginFlag.GDRCOPY, Feature.GDRCOPY,
            PluginFlag.GDS, Feature.GDS,
            PluginFlag.MOFED, Feature.MOFED)
        .forEach(
            (flag, feature) -> {
              if (flags.bool(flag)) {
                features.add(feature);
              }
            });
    return features;
  }

  private List<Integer> channels() {
    List<String> channels = flags.value(PluginFlag.IMEX_CHANNELS).list();
    if (!channels.isEmpty() && !channels.equals(List.of(ONLY_CHANNEL))) {
      flags.mustBe(PluginFlag.IMEX_CHANNELS, "[] or [0]");
    }
    return channels.stream().filter(ONLY_CHANNEL::equals).map(Integer::valueOf).toList();
  }

  private @Nullable Path mpsRoot() {
    Path root = flags.path(PluginFlag.MPS_ROOT).orElse(null);
    if (root == null && file.sharing().kind() == MPS) {
      flags.mustBe(PluginFlag.MPS_ROOT, "an absolute path, since the config file has sharing.mps");
    }
    return root;
  }

  /** A hook that is both enabled and disabled is disabled. */
  private CdiSettings.Hooks hooks() {
    Set<HookName> disabled = EnumSet.copyOf(HookName.OFF_UNLESS_ASKED_FOR);
    disabled.removeAll(hooks(PluginFlag.CDI_ENABLE_HOOKS, List.of()));
    disabled.addAll(hooks(PluginFlag.CDI_DISABLE_HOOKS, List.of(NEVER_RUN)));
    return new CdiSettings.Hooks(
        flags.path(PluginFlag.CDI_HOOK).map(Path::toString).orElse(null), disabled);
  }

  private Set<HookName> hooks(PluginFlag flag, List<String> ignored) {
    var names = EnumSet.noneOf(HookName.class);
    for (String text : flags.value(flag).list()) {
      Optional<HookName> name = HookName.of(text);
      if (text.equals(ALL_HOOKS)) {
        names.addAll(EnumSet.allOf(HookName.class));
      } else if (name.isEmpty() && !ignored.contains(text)) {
        String known =
            EnumSet.allOf(HookName.class).stream()
                .map(HookName::toString)
                .collect(Collectors.joining(", "));
        flags.mustBe(
            flag, "one or several of " + ALL_HOOKS + ", " + known + ", separated by commas");
      }
      name.ifPresent(names::add);
    }
    return names;
  }

  /** A note for each flag that asks for something that does not exist here. */
  private List<String> flagsWithoutEffect() {
    FlagValue interval = flags.value(PluginFlag.SLEEP_INTERVAL);
    String every = interval.text().strip();
    if (!every.equals(NEVER) && Durations.parseGo(every).isEmpty()) {
      flags.mustBe(PluginFlag.SLEEP_INTERVAL, "a duration such as 60s or 1h30m, or " + NEVER);
    }
    return Stream.of(
            note(
                PluginFlag.FAIL_ON_INIT_ERROR,
                flags.bool(PluginFlag.FAIL_ON_INIT_ERROR),
                "without a driver the agent stays, says so, and tries again"),
            note(
                PluginFlag.ONESHOT,
                flags.bool(PluginFlag.ONESHOT),
                "labels are kept as they should be for as long as the agent runs"),
            note(
                PluginFlag.SLEEP_INTERVAL,
                true,
                "labels follow each look at the devices, every device-plugin.survey-after"),
            note(
                PluginFlag.NODE_FEATURE_API,
                flags.bool(PluginFlag.NODE_FEATURE_API),
                "--node-labels says where labels go, and node-feature is one of the places"),
            note(
                PluginFlag.CDI_FEATURE_FLAGS,
                !flags.value(PluginFlag.CDI_FEATURE_FLAGS).list().isEmpty(),
                "the specifications are not made by NVIDIA's library"))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> note(PluginFlag flag, boolean asksForSomething, String why) {
    return flags
        .given(flag)
        .filter(_ -> asksForSomething)
        .map(given -> given.source() + " has no effect: " + why);
  }
}
