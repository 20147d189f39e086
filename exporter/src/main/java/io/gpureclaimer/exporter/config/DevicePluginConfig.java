package io.gpureclaimer.exporter.config;

import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice.Fallback;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The role of device plugin. Bound from {@code device-plugin.*}.
 *
 * @param enabled whether the agent offers GPUs to the kubelet
 * @param surveyAfter time between two polls of all devices, if no event reports a change
 * @param quietTime time without an issue after which an unhealthy device is healthy again
 * @param quietIsEnough whether {@code quiet-time} alone is enough on GPUs whose driver does not
 *     report a recovery action; otherwise they need a reset
 * @param configFile configuration file in the format of NVIDIA's device plugin; not together with
 *     {@code config-folder}
 * @param configFolder folder of such files; a label of the Node names the one to use
 * @param defaultConfig name of the configuration of a Node without the label
 * @param fallbackStrategies how to choose the configuration of a Node with neither label nor
 *     default, in this order
 * @param nodeLabel key of that label
 * @param options flags of NVIDIA's device plugin, by their names without dashes
 * @param healthFile file that keeps the faults of GPUs across restarts
 * @param cdiFolder folder of CDI specifications
 * @param mpsProgram NVIDIA's control program of MPS
 * @param labels where labels of the node go: {@code none}, {@code node}, {@code nfd-file} or {@code
 *     node-feature}
 * @param labelNamespace where a NodeFeature object is; needed for {@code node-feature}
 * @param takeOverLabels whether to overwrite labels that another program has set
 * @param nodeEvents whether problems are reported as Events of the Node, where it is read or
 *     written anyway
 * @param nodeCondition whether the Node gets the condition {@code GpuUnhealthy}, and pods that hold
 *     an unhealthy GPU an Event
 * @param nodeTaint whether the Node is tainted {@code nvidia.com/gpu-unhealthy:NoSchedule} while
 *     the condition is True; needs {@code node-condition}
 * @param refuseExposure whether the agent refuses to start where containers that ask for no GPU may
 *     see all, or where that is unknown
 */
@Context
@ConfigurationProperties("device-plugin")
public record DevicePluginConfig(
    boolean enabled,
    Duration surveyAfter,
    Duration quietTime,
    boolean quietIsEnough,
    @Nullable Path configFile,
    @Nullable Path configFolder,
    @Nullable String defaultConfig,
    List<String> fallbackStrategies,
    String nodeLabel,
    @Nullable
        @MapFormat(
            transformation = MapFormat.MapTransformation.FLAT,
            keyFormat = StringConvention.RAW)
        Map<String, String> options,
    Path healthFile,
    Path cdiFolder,
    String mpsProgram,
    String labels,
    @Nullable String labelNamespace,
    boolean takeOverLabels,
    boolean nodeEvents,
    boolean nodeCondition,
    boolean nodeTaint,
    boolean refuseExposure) {
  private static final List<String> LABEL_PLACES =
      List.of("none", "node", "nfd-file", "node-feature");

  public DevicePluginConfig {
    options = options == null ? Map.of() : Map.copyOf(options);
    if (!surveyAfter.isPositive()) {
      throw new IllegalArgumentException(
          "device-plugin.survey-after must be positive, was " + surveyAfter.toMillis() + "ms");
    }
    if (configFile != null && configFolder != null) {
      throw new IllegalArgumentException(
          "device-plugin.config-file must not be set together with device-plugin.config-folder,"
              + " was "
              + configFile);
    }
    if (!LABEL_PLACES.contains(labels)) {
      throw new IllegalArgumentException(
          "device-plugin.labels must be one of " + LABEL_PLACES + ", was " + labels);
    }
    if (labels.equals("node-feature") && labelNamespace == null) {
      throw new IllegalArgumentException(
          "device-plugin.label-namespace must be set if device-plugin.labels is node-feature");
    }
    if (nodeTaint && !nodeCondition) {
      throw new IllegalArgumentException(
          "device-plugin.node-taint needs device-plugin.node-condition, which was false");
    }
    var _ = Fallback.all(fallbackStrategies);
  }

  /** Whether the Node is read or written. */
  public boolean needsNode() {
    return configFolder != null
        || labels.equals("node")
        || labels.equals("node-feature")
        || nodeCondition;
  }

  /** Which of the folder's files a Node gets. */
  public ConfigChoice choice() {
    return new ConfigChoice(nodeLabel, defaultConfig, Fallback.all(fallbackStrategies));
  }
}
