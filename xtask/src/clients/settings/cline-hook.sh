#!/bin/sh
exec "@HOOK@" hook cline
