package io.gpureclaimer.deviceplugin.config;

import static io.gpureclaimer.deviceplugin.allocation.Sharing.Kind.MPS;

import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.allocation.AllocationRules;
import io.gpureclaimer.deviceplugin.allocation.DeviceIdStrategy;
import io.gpureclaimer.deviceplugin.allocation.DeviceListStrategy;
import io.gpureclaimer.deviceplugin.allocation.Feature;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.OfferSettings;
import io.gpureclaimer.deviceplugin.allocation.ResponseSettings;
import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The way from what was written to settings. Confined to one merge. */
final class Merging {
  private static final List<String> DISCOVERIES = List.of("auto", "nvml");
  private static final Pattern VENDOR = Pattern.compile("[A-Za-z][-_.A-Za-z0-9]*[A-Za-z0-9]");

  /** As Kubernetes has it: parts of letters, digits and dashes, with dots in between. */
  private static final Pattern ANNOTATION_PREFIX =
      Pattern.compile(
          "(?=.{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/");

  private static final String ONLY_CHANNEL = "0";

  private final ConfigFile file;
  private final FlagValues values;
  private final FlagTypes flags;

  Merging(Map<String, String> options, Map<String, String> environment, ConfigFile file) {
    this.file = file;
    this.values = new FlagValues(options, environment, file);
    this.flags = new FlagTypes(values);
  }

  Merged merged() {
    PluginSettings settings = settings();
    List<String> idle = new IdleFlags(values, flags).notes();
    if (!DISCOVERIES.contains(flags.text(Flag.DISCOVERY))) {
      flags.mustBe(Flag.DISCOVERY, "auto or nvml, the only ways that are known here");
    }
    var problems = new ArrayList<>(file.problems());
    problems.addAll(values.unknown());
    problems.addAll(flags.problems());
    return problems.isEmpty()
        ? new Merged.Settled(settings, notes(settings, idle))
        : new Merged.Refused(problems);
  }

  private List<String> notes(PluginSettings settings, List<String> idle) {
    var notes = new ArrayList<>(file.notes());
    notes.addAll(idle);
    ResponseSettings response = settings.allocation().response();
    boolean onlyCdi = response.strategies().stream().allMatch(DeviceListStrategy::isCdi);
    if (response.passDeviceSpecs() && onlyCdi) {
      notes.add(
          values.of(Flag.PASS_DEVICE_SPECS).origin()
              + " has no effect, since CDI alone brings the device files");
    }
    return notes;
  }

  private PluginSettings settings() {
    return new PluginSettings(
        new OfferSettings(
            flags.choice(Flag.MIG_STRATEGY, MigStrategy.values(), MigStrategy::text),
            file.gpuNames(),
            file.migNames(),
            file.sharing()),
        new AllocationRules(
            response(),
            flags.choice(Flag.SHARE_POLICY, SharePolicy.values(), SharePolicy::text),
            file.sharing().oneShareAtMost()),
        new DriverSettings(
            flags.place(Flag.DRIVER_ROOT), flags.place(Flag.CONTAINER_DRIVER_ROOT), devRoot()),
        new HookReading(flags).hooks(),
        flags.place(Flag.KUBELET_SOCKET),
        labels());
  }

  private ResponseSettings response() {
    return new ResponseSettings(
        flags.choices(Flag.DEVICE_LIST, DeviceListStrategy.values(), DeviceListStrategy::text),
        flags.choice(Flag.DEVICE_ID, DeviceIdStrategy.values(), DeviceIdStrategy::text),
        flags.truth(Flag.PASS_DEVICE_SPECS),
        devRoot(),
        new CdiNames(shaped(Flag.CDI_VENDOR, VENDOR, "letters, digits, '-', '_' and '.'")),
        shaped(Flag.CDI_ANNOTATION_PREFIX, ANNOTATION_PREFIX, "a domain and a slash"),
        features(),
        channels(),
        flags.truth(Flag.IMEX_REQUIRED),
        mpsRoot(),
        flags.truth(Flag.SHARE_BUDGET));
  }

  private Path devRoot() {
    return flags
        .path(Flag.DEV_ROOT)
        .orElseGet(() -> flags.path(Flag.DRIVER_ROOT).orElse(Path.of("/")));
  }

  private String shaped(Flag flag, Pattern shape, String rule) {
    String text = flags.text(flag);
    if (!shape.matcher(text).matches()) {
      flags.mustBe(flag, rule);
    }
    return text;
  }

  private Set<Feature> features() {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    Map.of(Flag.GDRCOPY, Feature.GDRCOPY, Flag.GDS, Feature.GDS, Flag.MOFED, Feature.MOFED)
        .forEach(
            (flag, feature) -> {
              if (flags.truth(flag)) {
                features.add(feature);
              }
            });
    return features;
  }

  private List<Integer> channels() {
    List<String> channels = flags.texts(Flag.IMEX_CHANNELS);
    if (!channels.isEmpty() && !channels.equals(List.of(ONLY_CHANNEL))) {
      flags.mustBe(Flag.IMEX_CHANNELS, "[] or [0]");
    }
    return channels.stream().filter(ONLY_CHANNEL::equals).map(Integer::valueOf).toList();
  }

  private @Nullable Path mpsRoot() {
    Path root = flags.path(Flag.MPS_ROOT).orElse(null);
    if (root == null && file.sharing().kind() == MPS) {
      flags.mustBe(Flag.MPS_ROOT, "an absolute path, since the config file has sharing.mps");
    }
    return root;
  }

  private LabelSettings labels() {
    return new LabelSettings(
        !flags.truth(Flag.NO_TIMESTAMP),
        flags.path(Flag.OUTPUT_FILE).orElse(null),
        flags.place(Flag.MACHINE_TYPE_FILE));
  }
}
