package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.deviceplugin.config.PluginFlag;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Sets;
import io.gpureclaimer.exporter.cli.AgentFlag.FlagArity;
import io.gpureclaimer.exporter.cli.AgentFlag.HelpSection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Flags of the device plugin: the agent's, and NVIDIA's in its spelling. */
final class DevicePluginFlags {
  static final String CONFIG_FILE = "--device-plugin-config-file";

  private static final String EXPORTER = "exporter";
  private static final String DEVICE_PLUGIN = "device-plugin";
  private static final Set<String> ROLES = Set.of(EXPORTER, DEVICE_PLUGIN);
  private static final List<String> LABEL_PLACES =
      List.of("none", "node", "nfd-file", "node-feature");

  private DevicePluginFlags() {}

  static List<AgentFlag> all() {
    return Stream.concat(
            ours().stream(), Arrays.stream(PluginFlag.values()).map(DevicePluginFlags::nvidias))
        .toList();
  }

  private static List<AgentFlag> ours() {
    return List.of(
        flag(
            "--device-plugin",
            "GPU_EXPORTER_DEVICE_PLUGIN",
            FlagArity.SWITCH,
            "true|false",
            setting -> Map.of("device-plugin.enabled", setting.bool()),
            "offer the GPUs to the kubelet, in the place of NVIDIA's device plugin"),
        flag(
            "--roles",
            "GPU_EXPORTER_ROLES",
            FlagArity.LIST,
            "LIST",
            DevicePluginFlags::roles,
            "what the agent is: exporter, device-plugin, or both; default exporter"),
        flag(
            CONFIG_FILE,
            "CONFIG_FILE",
            FlagArity.VALUE,
            "PATH",
            setting -> Map.of("device-plugin.config-file", setting.path()),
            "configuration file in the format of NVIDIA's device plugin; reloaded when it changes"),
        flag(
            "--device-plugin-config-dir",
            "CONFIG_FILE_SRCDIR",
            FlagArity.VALUE,
            "PATH",
            setting -> Map.of("device-plugin.config-folder", setting.path()),
            "folder of such configuration files; a label of the Node names the one to use"),
        flag(
            "--device-plugin-default-config",
            "DEFAULT_CONFIG",
            FlagArity.VALUE,
            "NAME",
            setting -> Map.of("device-plugin.default-config", setting.text()),
            "name of the configuration of a Node without that label"),
        flag(
            "--device-plugin-fallback-strategies",
            "FALLBACK_STRATEGIES",
            FlagArity.LIST,
            "LIST",
            setting -> Map.of("device-plugin.fallback-strategies", setting.list()),
            "how to choose the configuration of a Node with neither label nor default, in this order: named, single, empty; default named,single"),
        flag(
            "--device-plugin-node-label",
            "NODE_LABEL",
            FlagArity.VALUE,
            "KEY",
            setting -> Map.of("device-plugin.node-label", setting.text()),
            "key of the Node label that names the configuration; default nvidia.com/device-plugin.config"),
        flag(
            "--node-labels",
            "GPU_EXPORTER_NODE_LABELS",
            FlagArity.VALUE,
            "WHERE",
            setting -> Map.of("device-plugin.labels", setting.oneOf(LABEL_PLACES)),
            "where to write the labels of NVIDIA's GPU feature discovery: none, node, nfd-file or node-feature; default none"));
  }

  private static Map<String, Object> roles(FlagValue setting) {
    var given = Set.copyOf(List.of(setting.text().split("\\s*,\\s*", -1)));
    if (given.isEmpty() || !ROLES.containsAll(given)) {
      throw setting.invalid("must be exporter, device-plugin, or both with a comma between them");
    }
    var properties = new HashMap<String, Object>();
    properties.put("roles.exporter", given.contains(EXPORTER));
    properties.put("device-plugin.enabled", given.contains(DEVICE_PLUGIN));
    return properties;
  }

  /** The variables of these are read with the configuration, where they rank behind the flags. */
  private static AgentFlag nvidias(PluginFlag flag) {
    String name = flag.options().getFirst();
    String usual = flag.defaultValue().isEmpty() ? "" : "; default " + flag.defaultValue();
    boolean isSwitch = flag.type() == PluginFlag.FlagType.BOOL;
    return new AgentFlag(
        HelpSection.NVIDIA_PLUGIN,
        flag.options().reversed().stream().map("--"::concat).toList(),
        null,
        isSwitch ? FlagArity.SWITCH : flag.isList() ? FlagArity.LIST : FlagArity.VALUE,
        isSwitch ? "true|false" : "VALUE",
        new Sets(setting -> Map.of("device-plugin.options." + name, setting.text())),
        flag.help() + usual);
  }

  private static AgentFlag flag(
      String name,
      String variable,
      FlagArity arity,
      String label,
      Function<FlagValue, Map<String, Object>> effect,
      String help) {
    return new AgentFlag(
        HelpSection.DEVICE_PLUGIN, List.of(name), variable, arity, label, new Sets(effect), help);
  }
}
