@echo off
"%~dp0..\..\Parley.exe" -- --launch %*
