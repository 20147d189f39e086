package io.gpureclaimer.reclaimer.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the reclaimer recognizes people, where {@code web.pages} is {@code authorized}. Bound from
 * {@code web.identity.*}. A bearer token of the API server is always accepted.
 *
 * @param proxySecretFile file with the secret that a proxy sends, as password of HTTP Basic or in
 *     the header {@code X-Proxy-Secret}; without it, no header with a user is read
 * @param proxyPeers addresses or networks of the proxies, such as {@code 10.0.0.0/8}; none for any
 * @param userHeader header with the name of the user
 * @param groupsHeader header with the groups of the user, separated by commas
 * @param userPrefix prefix of the name, as the API server has it for users of the same provider
 * @param groupsPrefix prefix of each group
 * @param tokenAudiences accepted audiences of bearer tokens; empty: those of the API server
 */
@Context
@ConfigurationProperties("web.identity")
public record IdentityConfig(
    @Nullable Path proxySecretFile,
    List<String> proxyPeers,
    String userHeader,
    String groupsHeader,
    @Nullable String userPrefix,
    @Nullable String groupsPrefix,
    List<String> tokenAudiences) {
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  public IdentityConfig {
    proxyPeers = List.copyOf(proxyPeers);
    tokenAudiences = List.copyOf(tokenAudiences);
    proxyPeers.forEach(IdentityConfig::network);
    mustBeHeader("web.identity.user-header", userHeader);
    mustBeHeader("web.identity.groups-header", groupsHeader);
    if (proxySecretFile == null && !proxyPeers.isEmpty()) {
      throw new IllegalArgumentException(
          "web.identity.proxy-peers needs web.identity.proxy-secret-file: by an address alone, every"
              + " client that reaches it by a forwarded port is a proxy");
    }
  }

  /** The file with the secret of the proxies, if headers of proxies are read. */
  public Optional<Path> secretFile() {
    return Optional.ofNullable(proxySecretFile);
  }

  /** Whether a client may be a proxy, by its address. */
  public boolean isPeer(InetSocketAddress client) {
    return proxyPeers.isEmpty()
        || proxyPeers.stream().map(IdentityConfig::network).anyMatch(net -> net.matches(client));
  }

  /** The name of a user, with the prefix. */
  public String prefixedUser(String user) {
    return (userPrefix == null ? "" : userPrefix) + user;
  }

  /** The name of a group, with the prefix. */
  public String prefixedGroup(String group) {
    return (groupsPrefix == null ? "" : groupsPrefix) + group;
  }

  private static IpSubnetFilterRule network(String text) {
    String[] parts = text.split("/", -1);
    boolean isIpv4 = NetUtil.isValidIpV4Address(parts[0]);
    int most = isIpv4 ? IPV4_BITS : IPV6_BITS;
    boolean hasLength = parts.length == 2 && parts[1].matches("\\d{1,3}");
    int length = hasLength ? Integer.parseInt(parts[1]) : most;
    if ((!isIpv4 && !NetUtil.isValidIpV6Address(parts[0]))
        || (parts.length > 1 && !hasLength)
        || length > most) {
      throw new IllegalArgumentException(
          "web.identity.proxy-peers must be addresses or networks such as 10.0.0.0/8, was " + text);
    }
    return new IpSubnetFilterRule(parts[0], length, IpFilterRuleType.ACCEPT);
  }

  private static void mustBeHeader(String property, String name) {
    if (!name.matches("[A-Za-z0-9-]+")) {
      throw new IllegalArgumentException(property + " must be the name of a header, was " + name);
    }
  }
}
