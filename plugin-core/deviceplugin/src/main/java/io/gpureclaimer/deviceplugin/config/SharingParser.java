package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.deviceplugin.allocation.DeviceChoice;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.SharedResource;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.allocation.Sharing.SharingKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Parser of the part of the config file about sharing. */
final class SharingParser {
  private static final String TIME_SLICING = "timeSlicing";
  private static final String MPS = "mps";
  private static final String SHARED = ".shared";
  private static final Pattern DEVICE =
      Pattern.compile("[0-9]{1,6}(:[0-9]{1,6})?|(GPU|MIG)-[-/0-9A-Za-z]+");
  private static final String DEVICES_RULE =
      "all, a number of at least 1, or a list of indices (3, \"3:1\") and UUIDs";

  private final YamlReader reader;
  private final Consumer<String> notes;

  SharingParser(YamlReader reader, Consumer<String> notes) {
    this.reader = reader;
    this.notes = notes;
  }

  /** If MPS is there, it alone counts: so does NVIDIA's plugin. */
  Sharing parse(YamlValue value) {
    Map<String, YamlValue> fields = reader.fields(value, List.of(TIME_SLICING, MPS));
    Sharing slices = block(fields.get(TIME_SLICING), SharingKind.TIME_SLICING);
    Sharing clients = block(fields.get(MPS), SharingKind.MPS);
    YamlValue unused = fields.get(TIME_SLICING);
    if (clients.kind() == SharingKind.NONE) {
      return slices;
    }
    if (unused != null) {
      notes.accept(unused.where() + " has no effect, since there is sharing.mps; remove one");
    }
    return clients;
  }

  private Sharing block(@Nullable YamlValue value, SharingKind kind) {
    if (value == null) {
      return Sharing.NONE;
    }
    Map<String, YamlValue> fields =
        reader.fields(value, List.of("renameByDefault", "failRequestsGreaterThanOne", "resources"));
    boolean rename = bool(fields.get("renameByDefault"), false);
    boolean one = bool(fields.get("failRequestsGreaterThanOne"), kind == SharingKind.MPS);
    List<SharedResource> resources =
        reader.required(value, fields, "resources").stream()
            .flatMap(list -> nonEmpty(list).stream())
            .flatMap(each -> resource(each, rename).stream())
            .toList();
    return resources.isEmpty() ? Sharing.NONE : new Sharing(kind, one, resources);
  }

  private List<YamlValue> nonEmpty(YamlValue list) {
    List<YamlValue> elements = reader.elements(list);
    if (list.isList() && elements.isEmpty()) {
      reader.problem(list.mustBe("a list with at least one resource"));
    }
    return elements;
  }

  private boolean bool(@Nullable YamlValue value, boolean usual) {
    return value == null ? usual : reader.bool(value).orElse(usual);
  }

  private Optional<SharedResource> resource(YamlValue value, boolean renameByDefault) {
    Map<String, YamlValue> fields =
        reader.fields(value, List.of("name", "rename", "devices", "replicas"));
    Optional<ResourceName> name =
        reader
            .required(value, fields, "name")
            .flatMap(it -> ConfigFileParser.resourceName(reader, it));
    Optional<ResourceName> rename =
        Optional.ofNullable(fields.get("rename"))
            .flatMap(it -> ConfigFileParser.resourceName(reader, it));
    Optional<Integer> replicas =
        reader
            .required(value, fields, "replicas")
            .flatMap(number -> reader.integer(number, SharedResource.FEWEST));
    YamlValue devices = fields.get("devices");
    DeviceChoice choice = devices == null ? new DeviceChoice.All() : choice(devices);
    if (name.isEmpty() || replicas.isEmpty()) {
      return Optional.empty();
    }
    ResourceName usual = name.orElseThrow();
    ResourceName offered = rename.orElseGet(() -> renameByDefault ? shared(value, usual) : usual);
    return Optional.of(new SharedResource(usual, offered, choice, replicas.orElseThrow()));
  }

  private ResourceName shared(YamlValue value, ResourceName name) {
    if (!ResourceName.isValid(name + SHARED)) {
      reader.problem(value.where() + ".name must leave room for " + SHARED + ", was " + name);
      return name;
    }
    return new ResourceName(name + SHARED);
  }

  private DeviceChoice choice(YamlValue value) {
    if (value.node() instanceof ScalarNode scalar) {
      if (scalar.getTag().equals(Tag.STR) && scalar.getValue().equals("all")) {
        return new DeviceChoice.All();
      }
      if (scalar.getTag().equals(Tag.INT) && scalar.getValue().matches("[1-9][0-9]{0,5}")) {
        return new DeviceChoice.First(Integer.parseInt(scalar.getValue()));
      }
      reader.problem(value.mustBe(DEVICES_RULE));
      return new DeviceChoice.All();
    }
    return new DeviceChoice.Named(
        reader.elements(value).stream().flatMap(each -> device(each).stream()).toList());
  }

  private Optional<String> device(YamlValue value) {
    String rule = "an index, such as 3 or \"3:1\", or a UUID";
    Optional<String> written = reader.scalar(value, rule);
    if (written.isPresent() && !DEVICE.matcher(written.orElseThrow()).matches()) {
      reader.problem(value.mustBe(rule));
      return Optional.empty();
    }
    return written;
  }
}
